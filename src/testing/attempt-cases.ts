import { type AttemptStore, attemptKey, type TaskAttempt } from '../ports/attempt-store.js';
import { ensureEqual, ensureRefused, keptCases, type StoreCase } from './contract-case.js';

const cases: readonly StoreCase<AttemptStore>[] = [
  {
    name: 'an unknown task has no attempts',
    run: async (store) => ensureEqual(await store.of('TASK-001'), [], 'the attempts'),
  },
  {
    name: '`of` returns the attempts at a task over all runs, oldest first; `last` the last one',
    run: async (store) => {
      const [first, second, third] = [
        attemptOf(),
        attemptOf({ attempt: 2, at: later(1) }),
        attemptOf({ runId: 'a later run', at: later(2) }),
      ];
      const other = attemptOf({ taskId: 'TASK-002', at: later(3) });
      await recordAll(store, [first, second, third, other]);
      ensureEqual(
        (await store.of('TASK-001')).map(attemptKey),
        [first, second, third].map(attemptKey),
        'the attempts at the first task',
      );
      ensureEqual(await store.last('TASK-001'), third, 'the last attempt at the first task');
      ensureEqual(await store.of('TASK-002'), [other], 'the attempts at the second task');
    },
  },
  {
    name: 'recording an attempt again replaces it completely, in its place',
    run: async (store) => {
      const next = attemptOf({ attempt: 2, at: later(1) });
      const decided = attemptOf({
        status: 'success',
        reviewStatus: 'passed',
        humanDecision: 'approve',
        decidedBy: 'ann',
      });
      await recordAll(store, [whole, next, decided]);
      ensureEqual(await store.of('TASK-001'), [decided, next], 'the attempts');
    },
  },
  {
    name: 'the verdict of the machine and the decision of a person are both stored',
    run: async (store) => {
      const approved = attemptOf({
        status: 'success',
        reviewStatus: 'passed',
        machineVerdict: 'failed',
        humanDecision: 'approve',
        decidedBy: 'ann',
        decisionReason: 'known',
      });
      await store.record(approved);
      ensureEqual(await store.last('TASK-001'), approved, 'the attempt');
    },
  },
  {
    name: 'the first 2048 bytes of findings are stored, cut between two characters',
    run: async (store) => {
      await store.record(attemptOf({ reviewFindings: `x${'😀'.repeat(1000)}` }));
      ensureEqual(
        (await store.last('TASK-001'))?.reviewFindings,
        `x${'😀'.repeat(511)}`,
        'the findings',
      );
    },
  },
  {
    name: 'a malformed attempt is refused with invalid_options and changes nothing',
    run: async (store) => {
      await store.record(whole);
      await ensureRefused((attempt) => store.record(attempt), whole, {
        ...{ taskId: [''], runId: [''], attempt: [0, 1.5], reviewStatus: ['fine'] },
        ...{ humanDecision: ['yes'], issues: [-1], at: ['yesterday'] },
        reviewUsage: [{ costUsd: -1 }],
      });
      ensureEqual(await store.of('TASK-001'), [whole], 'the attempts');
    },
  },
  {
    name: 'attempts that are recorded concurrently are all stored',
    run: async (store) => {
      const many = Array.from({ length: 30 }, (_, index) => attemptOf({ runId: `run ${index}` }));
      await Promise.all(many.map(async (attempt) => store.record(attempt)));
      ensureEqual(
        (await store.of('TASK-001')).map(({ runId }) => runId).sort(),
        many.map(({ runId }) => runId).sort(),
        'the runs',
      );
    },
  },
];

function later(minutes: number): string {
  return new Date(Date.UTC(2026, 0, 1, 0, minutes)).toISOString();
}

function attemptOf(more: Partial<TaskAttempt> = {}): TaskAttempt {
  const review = {
    reviewStatus: null,
    reviewFindings: null,
    machineVerdict: null,
    issues: null,
    reviewUsage: {},
    reviewDurationMs: null,
  };
  return {
    taskId: 'TASK-001',
    runId: 'r1',
    attempt: 1,
    status: 'failed',
    ...review,
    humanDecision: null,
    decidedBy: null,
    decisionReason: null,
    error: null,
    errorCode: null,
    at: later(0),
    ...more,
  };
}

const whole = attemptOf({
  reviewStatus: 'rejected',
  reviewFindings: 'MAJOR: line\nbreak "quotes" \'); DROP TABLE attempts; -- \u2028 ü 😀 __proto__',
  machineVerdict: 'failed',
  humanDecision: 'fix',
  decidedBy: 'ann',
  decisionReason: 'no error handling',
  issues: 2,
  error: 'Fix requested',
  errorCode: 'FIX_REQUESTED',
  reviewUsage: { inputTokens: 10, outputTokens: 0, costUsd: 0.25 },
  reviewDurationMs: 7,
});

export const attemptCases = keptCases<AttemptStore, TaskAttempt>(
  {
    noun: 'attempt',
    put: (store, attempt) => store.record(attempt),
    get: (store, { taskId }) => store.last(taskId),
    ...{ whole, next: attemptOf(), others: { task: attemptOf({ taskId: 'TASK-002' }) } },
    spoil: (attempt) => {
      Reflect.set(attempt, 'status', 'success');
      Reflect.set(attempt.reviewUsage, 'costUsd', 0);
    },
  },
  cases,
);

async function recordAll(store: AttemptStore, attempts: readonly TaskAttempt[]): Promise<void> {
  for (const attempt of attempts) await store.record(attempt);
}
