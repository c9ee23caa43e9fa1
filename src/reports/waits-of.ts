import type { HumanAnswer, HumanRequest } from '../core/human.js';
import type { JournalRecord } from '../ports/store.js';
import { isAnswered } from '../ports/waiting-runs.js';
import type { WaitReport } from './run-report.js';

/**
 * Returns what people were asked in a run, and what they answered, from its journal. `ids` are the
 * short ids of requirements, by criterion.
 */
export function waitsOf(
  records: readonly JournalRecord[],
  ids: ReadonlyMap<string, string>,
): WaitReport[] {
  const waits = new Map<string, WaitReport>();
  const requests: HumanRequest[] = [];
  for (const record of records) {
    const at = new Date(record.at).toISOString();
    if (record.type === 'request') {
      requests.push(record.request);
      waits.set(record.request.id, { question: record.request.question, askedAt: at });
    }
    if (record.type !== 'answer') continue;
    const { answer } = record;
    const asked = requests.filter((request) => isAnswered(request, record)).map(({ id }) => id);
    for (const id of asked.length === 0 ? [record.id] : asked)
      waits.set(id, {
        ...(waits.get(id) ?? { question: 'the version as it is' }),
        answeredAt: at,
        answer: wordsOf(answer, ids),
        by: answer.by,
        ...reasonOf(answer),
      });
  }
  return [...waits.values()];
}

function wordsOf(answer: HumanAnswer, ids: ReadonlyMap<string, string>): string {
  if (answer.kind !== 'decide') return answer.kind;
  const decided = Object.entries(answer.decisions).map(
    ([name, word]) => `${ids.get(name) ?? name}=${word}`,
  );
  return `decide ${decided.join(' ')}${answer.approve ? ', approve' : ''}`;
}

function reasonOf(answer: HumanAnswer): { readonly reason?: string } {
  const reason = answer.kind === 'revise' ? answer.note : answer.reason;
  return reason === undefined ? {} : { reason };
}
