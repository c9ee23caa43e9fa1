import * as z from 'zod';
import type { PostgresStore } from '@/adapters/stores/postgres/index.js';
import { type SqliteStore, sqliteStore } from '@/adapters/stores/sqlite/index.js';
import { definePipeline, type Outcome, type Reviewer, type ReviewerContext } from '@/index.js';
import { failed, passed, suspended } from '../unit/engine/support.js';
import { taskAttempt } from './task-attempt.js';

/** Asks once, as a paid step. */
async function answer(context: ReviewerContext, text: string): Promise<boolean> {
  return context.step('ask', { input: text, schema: z.boolean() }, async () => {
    context.reportUsage({ inputTokens: 100, outputTokens: 10, costUsd: 0.01 });
    return !text.includes('loud');
  });
}

const judge: Reviewer<string, string> = {
  id: 'judge',
  version: '1',
  tier: 'model',
  review: async ({ output }, context) => [
    (await answer(context, output))
      ? passed('tone')
      : failed('tone', 'too loud', { location: { file: 'a.md', line: 3 }, evidence: 'loud' }),
  ],
};

const broken: Reviewer<string, string> = {
  id: 'broken',
  version: '1',
  tier: 'model',
  review: async () => {
    throw new Error('the judge is out');
  },
};

/** What a filled database holds, and what pipelines gave. */
export interface FilledDatabase<Store = SqliteStore> {
  readonly store: Store;
  readonly mended: Outcome<string>;
  readonly answered: Outcome<string>;
  readonly waiting: Outcome<string>;
  readonly overridden: Outcome<string>;
  readonly inconclusive: Outcome<string>;
}

/** A database in which pipelines have run: one that mended its output, one that was answered, one that waits, one that was overridden, one whose judge failed; and attempts at tasks. */
export async function filledDatabase(file: string): Promise<FilledDatabase> {
  return filled(sqliteStore(file));
}

/** The same in a store that was opened. */
export async function filled<Store extends SqliteStore | PostgresStore>(
  store: Store,
): Promise<FilledDatabase<Store>> {
  const shared = {
    store,
    audit: store.audit,
    learn: store.lessons,
    produce: async (task: string) => `${task} loud`,
  };
  const verdicts = store.verdicts;
  const mending = definePipeline<string, string>({
    ...shared,
    verdicts,
    name: 'mending',
    reviewers: [judge],
    address: async (output) => output.replace(' loud', ''),
  });
  const asking = definePipeline<string, string>({
    ...shared,
    name: 'asking',
    reviewers: [judge],
    policy: () => ({
      kind: 'ask',
      reason: 'always',
      question: 'ship it?',
      allowed: ['approve', 'reject', 'override'],
    }),
  });
  const failing = definePipeline<string, string>({
    ...shared,
    name: 'failing',
    reviewers: [broken],
    budget: { reviews: 1 },
  });
  const mended = await mending.run('tea', { runId: 'mended' });
  const asked = suspended(await asking.run('tea', { runId: 'answered' }));
  const answered = await asking.answer(asked.requests[0], {
    kind: 'override',
    by: 'ann',
    reason: 'the client likes it loud',
  });
  const waiting = await asking.run('tea', { runId: 'waiting' });
  const stuck = definePipeline<string, string>({
    ...shared,
    name: 'stuck',
    reviewers: [judge],
    budget: { reviews: 1 },
  });
  const ended = await stuck.run('tea', { runId: 'overridden' });
  const overridden = await stuck.override(
    { runId: 'overridden', digest: ended.reviews[0]?.version ?? '' },
    { by: 'bob', reason: 'good enough' },
  );
  const inconclusive = await failing.run('tea', { runId: 'inconclusive' });
  const { attempts } = store;
  await attempts.record(taskAttempt({ error: 'tests failed', machineVerdict: 'not_run' }));
  await attempts.record(
    taskAttempt({
      status: 'success',
      machineVerdict: 'passed',
      reviewStatus: 'passed',
      runId: 'mended',
    }),
  );
  await attempts.record(
    taskAttempt({
      taskId: 'TASK-002',
      status: 'success',
      machineVerdict: 'failed',
      humanDecision: 'approve',
      decidedBy: 'ann',
      reviewStatus: 'passed',
      issues: 2,
    }),
  );
  return { store, mended, answered, waiting, overridden, inconclusive };
}
