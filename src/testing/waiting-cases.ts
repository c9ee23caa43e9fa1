import type { JournalRecord, RequestRecord, WaitingRun } from '../ports/store.js';
import { waitingIn } from '../ports/waiting-runs.js';
import { ensureEqual } from './contract-case.js';
import { end, header, type StoreCase, write } from './store-contract-cases.js';

/** Cases of the runs that wait for a person. */
export const waitingCases: readonly StoreCase[] = [
  {
    name: 'the runs that wait are returned by pages with their open questions, newest first',
    run: async (store) => {
      for (const [index, runId] of ['a', 'b', 'c', 'd', 'e'].entries())
        await (
          await write(store, runId, [
            header(runId),
            question(runId, 'first'),
            question(runId, 'second'),
            answered('first'),
            end(runId === 'd' ? 'approved' : 'suspended', index),
          ])
        ).close();
      const first = await waitingIn(store, { limit: 3 });
      ensureEqual(first.runs.map(shown), ['e second', 'c second', 'b second'], 'first page');
      ensureEqual(
        first.runs[0],
        { runId: 'e', pipeline: 'contract', questions: [question('e', 'second')] },
        'a run that waits',
      );
      const second = await waitingIn(store, { limit: 3, after: first.next });
      ensureEqual(second, { runs: [waitingA] }, 'second page');
      ensureEqual(await waitingIn(store, { limit: 4 }), { runs: [...first.runs, waitingA] }, 'all');
    },
  },
  {
    name: 'decisions answer the question about what is undecided',
    run: async (store) => {
      const asked = question('a', 'first');
      const undecided = [{ criterion: 'tone', question: 'Tone?', reason: '' }];
      const deciding = { ...asked, request: { ...asked.request, undecided } };
      const answer = { kind: 'decide' as const, by: 'Ann', decisions: { tone: 'yes' as const } };
      const decided = { type: 'answer' as const, id: 'other', digest: 'digest', answer, at: 2 };
      const later = question('a', 'later');
      const records = [header('a'), deciding, decided, later, end('suspended')];
      await (await write(store, 'a', records)).close();
      const { runs } = await waitingIn(store, { limit: 9 });
      ensureEqual(runs[0]?.questions, [later], 'open questions');
    },
  },
  {
    name: 'a run that goes on does not wait, and waits with its new questions only',
    run: async (store) => {
      await (
        await write(store, 'a', [header('a'), question('a', 'first'), end('suspended')])
      ).close();
      const next = await write(store, 'a', [answered('first')]);
      ensureEqual(await waitingIn(store, { limit: 9 }), { runs: [] }, 'while it goes on');
      const later = question('a', 'later', 'second version');
      for (const record of [question('a', 'left'), later, end('suspended', 9)])
        await next.append(record);
      await next.close();
      const { runs } = await waitingIn(store, { limit: 9 });
      ensureEqual(runs[0]?.questions, [later], 'questions about the newest version');
    },
  },
];

function shown({ runId, questions }: WaitingRun): string {
  return `${runId} ${questions.map(({ request }) => request.id).join(' ')}`;
}

function question(runId: string, id: string, digest = 'digest'): RequestRecord {
  const request = { id, runId, digest, question: 'Ship it?', gaps: [], allowed: [] };
  return { type: 'request', request: { ...request, allowed: ['approve'] }, at: 2 };
}

const waitingA = { runId: 'a', pipeline: 'contract', questions: [question('a', 'second')] };

function answered(id: string): JournalRecord {
  return { type: 'answer', id, digest: 'digest', answer: { kind: 'approve', by: 'Ann' }, at: 2 };
}
