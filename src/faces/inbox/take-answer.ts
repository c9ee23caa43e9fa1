import * as z from 'zod';
import { ReviewLoopError } from '../../core/errors.js';
import { type HumanAnswer, isExpired } from '../../core/human.js';
import { engineErrors } from '../../engine/errors.js';
import {
  checkedAnswer,
  type RequestReference,
  recordInAudit,
  refuseExpired,
} from '../../engine/human-answers.js';
import { expiredIn, RunJournal } from '../../engine/journal.js';
import { isRunId } from '../../ports/run-id.js';
import type { JournalRecord } from '../../ports/store.js';
import { waitingRun } from '../../ports/waiting-runs.js';
import type { AnsweredRun, InboxSettings } from './inbox-options.js';
import { Refusal } from './inbox-response.js';
import { otherQuestions } from './show-run.js';

const BodySchema = z.object({
  runId: z.string(),
  digest: z.string(),
  answer: z.object({
    kind: z.string(),
    reason: z.string().optional(),
    note: z.string().optional(),
    decisions: z.record(z.string(), z.string()).optional(),
    missing: z.record(z.string(), z.string()).optional(),
    approve: z.boolean().optional(),
    value: z.unknown().optional(),
  }),
});

export interface SentAnswer {
  readonly reference: RequestReference;
  readonly given: z.infer<typeof BodySchema>['answer'];
}

/** Who answers is not in it. */
export function sentAnswer(id: string, body: unknown): SentAnswer {
  const parsed = BodySchema.safeParse(body);
  if (!parsed.success)
    throw new Refusal(422, 'answer_invalid', { message: z.prettifyError(parsed.error) });
  const { runId, digest, answer } = parsed.data;
  if (!isRunId(runId)) throw new Refusal(404, 'run_unknown', { message: 'there is no such run' });
  return { reference: { runId, id, digest }, given: answer };
}

export async function takeAnswer(
  { reference, given }: SentAnswer,
  by: string,
  { settings, signal }: { readonly settings: InboxSettings; readonly signal: AbortSignal },
): Promise<AnsweredRun> {
  const { clock, audit } = settings;
  const journal = await journalOf(reference, settings);
  const now = clock.now();
  await journal.expire(now);
  const answer = checkedAnswer(journal, reference, {
    // an answer of another shape is refused there
    given: { ...given, by } as HumanAnswer,
    now,
  });
  journal.requireOpen();
  const where = await journal.elsewhere();
  if (where !== undefined) throw new Refusal(409, 'run_elsewhere', { message: where });
  await recordInAudit(
    { audit },
    { journal, over: (_, work) => work },
    {
      kind: answer.kind === 'override' ? 'override' : 'answer',
      reference,
      answer,
    },
  );
  return settings.answer(reference, answer, { signal });
}

async function journalOf(
  { runId, id }: RequestReference,
  settings: Pick<InboxSettings, 'store' | 'others' | 'elsewhere'>,
) {
  const other = await otherQuestions(runId, settings);
  if (other?.questions.some(({ request }) => request.id === id))
    return {
      ...indexed(other.questions),
      expire: async () => {},
      requireOpen: () => {},
      elsewhere: async () => undefined,
    };
  const records = await settings.store.read(runId);
  if (records === undefined)
    throw new ReviewLoopError(engineErrors.run_unknown, `the store has no run ${runId}`, {
      value: runId,
    });
  const journal = indexed(records);
  // a question that is not in the record was one of the others
  if (settings.others !== undefined && !journal.requests.has(id))
    requireOpen(records, { runId, id });
  const pipeline = records.find((record) => record.type === 'run')?.pipeline ?? '';
  return {
    ...journal,
    expire: async (now: number) => {
      const request = journal.requests.get(id);
      if (request !== undefined && isExpired(request, now))
        await recordExpiry(settings.store, { runId, id }, now);
    },
    requireOpen: () => requireOpen(records, { runId, id }),
    elsewhere: async () => settings.elsewhere?.({ runId, pipeline }),
  };
}

/** Does nothing if the store cannot write. */
async function recordExpiry(
  store: InboxSettings['store'],
  { runId, id }: Pick<RequestReference, 'runId' | 'id'>,
  now: number,
): Promise<void> {
  if (store.open === undefined) return;
  const journal = new RunJournal(await store.open(runId, true));
  try {
    await refuseExpired(journal, now, (request) => request.id === id);
  } finally {
    await journal.close();
  }
}

function requireOpen(
  records: readonly JournalRecord[],
  { runId, id }: Pick<RequestReference, 'runId' | 'id'>,
): void {
  const last = records.at(-1);
  if (last?.type === 'end' && last.status !== 'suspended')
    throw new ReviewLoopError(engineErrors.request_answered, `run ${runId} is ${last.status} now`, {
      value: runId,
    });
  const open = waitingRun(runId, records)?.questions ?? [];
  if (!open.some(({ request }) => request.id === id))
    throw new ReviewLoopError(
      engineErrors.request_stale,
      `question ${id} is about an earlier version`,
      {
        value: id,
      },
    );
}

function indexed(records: readonly JournalRecord[]) {
  const requests = new Map(
    records.flatMap((record) =>
      record.type === 'request' ? [[record.request.id, record.request]] : [],
    ),
  );
  const answers = new Map(
    records.flatMap((record) => (record.type === 'answer' ? [[record.id, record.answer]] : [])),
  );
  const ended = records.findLast((record) => record.type === 'end');
  return { requests, answers, ended, expired: new Set(expiredIn(ended, { requests, answers })) };
}
