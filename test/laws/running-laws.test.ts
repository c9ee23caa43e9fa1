import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  definePipeline,
  type Limiter,
  limiter,
  memoryStore,
  type Outcome,
  type Reviewer,
  type Store,
  thresholds,
  type Workspace,
} from '@/index.js';
import { type FakeWorkspace, fakeClock, fakeWorkspace, settle } from '@/testing/index.js';
import { reviewerOf } from '../support/reviewer.js';
import type { Draft } from './system.js';

const pass = (criterion: string) =>
  [{ verdict: 'pass', criterion, score: 1, explanation: '', gaps: [] }] as const;

/** A reviewer that asks a person. */
const asking = (name: string): Reviewer<string, Draft> =>
  reviewerOf(name, async (_, context) => {
    const answer = await context.ask('release', {
      question: `release? (${name})`,
      allowed: ['approve', 'reject'],
      gaps: [],
    });
    return answer.kind === 'approve'
      ? pass(name)
      : [{ verdict: 'fail', criterion: name, score: 0, explanation: 'declined', gaps: [] }];
  });

/** Law 12: a person is data; silence is never approval, and answers come in any order. */
async function silenceIsNotApproval(reviewers: readonly Reviewer<string, Draft>[]): Promise<void> {
  const clock = fakeClock();
  const pipeline = definePipeline<string, Draft>({
    produce: async () => ({ text: 'a' }),
    reviewers,
    clock,
  });
  const first = await pipeline.run('task', { runId: 'r' });
  await clock.advanceAsync(365 * 86_400_000);
  expect(first.status, 'silence was taken for an answer').toBe('suspended');
  if (first.status !== 'suspended') return;
  expect(first.requests).toHaveLength(2);
  const [one, two] = first.requests;
  if (two === undefined) throw new Error('two questions were expected');
  const second = await pipeline.answer(two, { kind: 'approve', by: 'ann' });
  expect(second.status).toBe('suspended');
  const third = await pipeline.answer(one, { kind: 'approve', by: 'bob' });
  expect(third.status).toBe('approved');
}

describe('law 12: silence is never approval', () => {
  it('holds for the engine: two people answer in any order', () =>
    silenceIsNotApproval([asking('a'), asking('b')]));
  it('is broken by a reviewer that takes silence for consent', async () => {
    // asks by a callback of its own, which the engine cannot see, and goes on when nobody calls back
    const impatient = (id: string): Reviewer<string, Draft> =>
      reviewerOf(id, async () => {
        await Promise.race([new Promise<never>(() => {}), settle()]);
        return pass(id);
      });
    await expect(silenceIsNotApproval([impatient('a'), impatient('b')])).rejects.toThrow(
      'silence was taken for an answer',
    );
  });
});

/** Law 13: what is done is done once, also over a suspension. */
async function paysOnce(store: Store): Promise<void> {
  const calls: string[] = [];
  const model: Reviewer<string, Draft> = reviewerOf('model', async (_, context) => {
    await context.step('call', { input: { prompt: 1 }, schema: Text }, async () => {
      calls.push('model');
      return 'fine';
    });
    return pass('model');
  });
  const pipeline = definePipeline<string, Draft>({
    produce: async () => {
      calls.push('produce');
      return { text: 'a' };
    },
    criteria: {
      slow: async () => {
        calls.push('check');
        return true;
      },
    },
    reviewers: [model, asking('person')],
    store,
  });
  const suspended = await pipeline.run('task', { runId: 'r' });
  if (suspended.status !== 'suspended') throw new Error(suspended.reason);
  const done = await pipeline.answer(suspended.requests[0], { kind: 'approve', by: 'ann' });
  expect(done.status).toBe('approved');
  expect(calls.sort(), 'paid again').toEqual(['check', 'model', 'produce']);
}

const Text = z.string();

/** Forgets every step it was told to keep. */
function forgetful(store: Store): Store {
  return {
    ...store,
    open: async (runId, keep) => {
      const journal = await store.open(runId, keep);
      return {
        ...journal,
        append: (record) => (record.type === 'step' ? undefined : journal.append(record)),
      };
    },
  };
}

describe('law 13: pay once', () => {
  it('holds for the engine', () => paysOnce(memoryStore()));
  it('is broken by a store that forgets steps', async () => {
    await expect(paysOnce(forgetful(memoryStore()))).rejects.toThrow('paid again');
  });
});

/** Law 13: the workspace is restored to the best version's tree, before work goes on from it and at the end. */
async function comesBack(files: Map<string, string>, workspace: Workspace): Promise<void> {
  const found: string[] = [];
  const pipeline = definePipeline<string, Draft>({
    workspace,
    produce: async () => {
      files.set('draft.txt', 'draft');
      return { text: 'a' };
    },
    address: async (_, __, { iteration }) => {
      found.push([...files.keys()].join());
      files.set(`worse-${iteration}.txt`, 'x');
      return { text: `worse ${iteration}` };
    },
    criteria: { good: () => 'never good', short: ({ text }) => text.length === 1 || 'too long' },
    policy: thresholds(),
  });
  const outcome = await pipeline.run('task');
  expect(outcome).toMatchObject({ approved: false, output: { text: 'a' } });
  expect(found.join(' then ')).toBe('draft.txt then draft.txt');
  expect([...files.keys()]).toEqual(['draft.txt']);
}

/** Brings back what was changed and removed, and forgets what was added. */
function forgetsToRemove(workspace: FakeWorkspace): Workspace {
  return {
    ...workspace,
    restore: async (digest) => {
      const before = [...workspace.files];
      await workspace.restore(digest);
      for (const [path, text] of before)
        if (!workspace.files.has(path)) workspace.files.set(path, text);
    },
  };
}

describe('law 13: the workspace comes back with its version', () => {
  it('holds for the engine', async () => {
    const workspace = fakeWorkspace();
    await comesBack(workspace.files, workspace);
  });
  it('is broken by a workspace that forgets to remove what was added', async () => {
    const workspace = fakeWorkspace();
    await expect(comesBack(workspace.files, forgetsToRemove(workspace))).rejects.toThrow(
      /worse-\d/,
    );
  });
  it('and even then nothing is approved with another tree than was reviewed', async () => {
    const workspace = fakeWorkspace();
    const dirty: Reviewer<string, Draft> = reviewerOf('dirty', async () => {
      workspace.files.set('junk.txt', 'x');
      return pass('dirty');
    });
    const pipeline = definePipeline<string, Draft>({
      workspace: forgetsToRemove(workspace),
      produce: async () => ({ text: 'a' }),
      reviewers: [dirty],
    });
    expect(await pipeline.run('task')).toMatchObject({
      status: 'failed',
      code: 'workspace_failed',
      output: { text: 'a' },
    });
  });
});

/** Law 15: budgets and limits bound everything. */
async function neverMoreThanTheLimit(shared: Limiter, limit: number): Promise<void> {
  let out = 0;
  let peak = 0;
  const busy = async (): Promise<boolean> => {
    out += 1;
    peak = Math.max(peak, out);
    await settle();
    out -= 1;
    return true;
  };
  const pipeline = definePipeline<number, Draft>({
    produce: async () => {
      await busy();
      return { text: 'a' };
    },
    criteria: Object.fromEntries(Array.from({ length: 7 }, (_, index) => [`c${index}`, busy])),
    limiter: shared,
  });
  const outcomes = await Promise.all(Array.from({ length: 9 }, (_, task) => pipeline.run(task)));
  expect(outcomes.every((outcome) => outcome.approved)).toBe(true);
  expect(peak, 'over the limit').toBe(limit);
}

describe('law 15: limits bound everything', () => {
  it('holds for the engine over all loops together', () =>
    neverMoreThanTheLimit(limiter({ concurrency: 3 }), 3));
  it('is broken by a limit for each loop', async () => {
    const each = new Map<number, Limiter>();
    let ages = 0;
    const perLoop: Limiter = {
      concurrency: 3,
      age: () => ages++,
      spend: () => {},
      enter: (age, work) => {
        const own = each.get(age) ?? limiter({ concurrency: 3 });
        each.set(age, own);
        own.enter(age, work);
      },
    };
    await expect(neverMoreThanTheLimit(perLoop, 3)).rejects.toThrow('over the limit');
  });
  it('reserves before it spends: twenty calls side by side cannot overspend', async () => {
    const spent = await spentBy((context, spend) => {
      const { settle: settled } = context.budget.reserve({ totalTokens: 10 });
      return spend().then(() => settled({ totalTokens: 10 }));
    });
    expect(spent.tokens).toBeLessThanOrEqual(100);
    expect(spent.outcome.code).toBe('budget_tokens');
    expect(spent.outcome.output).toEqual({ text: 'a' });
  });
  it('is broken by check-then-spend, which overspends', async () => {
    const spent = await spentBy((context, spend) => {
      context.budget.reserve({ totalTokens: 10 }).settle({});
      return spend();
    });
    expect(spent.tokens).toBeGreaterThan(100);
  });
});

type Context = Parameters<Reviewer<string, Draft>['review']>[1];

async function spentBy(
  pay: (context: Context, spend: () => Promise<void>) => Promise<void>,
): Promise<{ readonly tokens: number; readonly outcome: Outcome<Draft> }> {
  let tokens = 0;
  const spend = async (): Promise<void> => {
    tokens += 10;
    await settle();
  };
  const reviewers = Array.from(
    { length: 20 },
    (_, index): Reviewer<string, Draft> => ({
      id: `r${index}`,
      version: '1',
      tier: 'model',
      review: async (_, context) => {
        await pay(context, spend);
        return pass(`r${index}`);
      },
    }),
  );
  const outcome = await definePipeline<string, Draft>({
    produce: async () => ({ text: 'a' }),
    reviewers,
    budget: { tokens: 100 },
  }).run('task');
  return { tokens, outcome };
}
