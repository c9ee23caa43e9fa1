import { describe, expect, it } from 'vitest';
import {
  definePipeline,
  gap,
  memoryStore,
  type Outcome,
  type Reviewer,
  type Store,
} from '@/index.js';
import { reviewerOf } from '../support/reviewer.js';

const waits = 'wait for the tool';
type Improve = (output: string) => Promise<string>;
/** Runs work that waits for a person before a tool may run; `improve` makes each next version. */
type Loop = (improve: Improve, scoreOf: (output: string) => number) => Promise<void>;

/** What a person allowed is done once, also where the next version is as good, or worse. */
async function runsOnce(loop: Loop): Promise<void> {
  for (const next of [0.5, 0.2]) {
    const ran: string[] = [];
    await loop(
      async (output) => {
        if (output === waits) ran.push('tool');
        return output === waits ? 'the tool ran' : 'done';
      },
      (output) => (output === 'done' ? 1 : output === waits ? 0.5 : next),
    );
    expect(ran, `the tool ran again: ${next}`).toEqual(['tool']);
  }
}

const engine: Loop = async (improve, scoreOf) => {
  const tool: Reviewer<string, string> = reviewerOf('tool', async ({ output }, context) => {
    if (output === waits)
      await context.ask('tool', { question: 'run it?', allowed: ['approve'], gaps: [] });
    const judged = { criterion: 'tool', score: scoreOf(output), explanation: output };
    return judged.score === 1
      ? [{ verdict: 'pass', ...judged, gaps: [] }]
      : [{ verdict: 'fail', ...judged, gaps: [gap(output)] }];
  });
  const pipeline = definePipeline<string, string>({
    produce: async () => waits,
    address: improve,
    reviewers: [tool],
    budget: { reviews: 4 },
  });
  const first = await pipeline.run('task', { runId: 'r' });
  if (first.status !== 'suspended') throw new Error(first.reason);
  const end = await pipeline.answer(first.requests[0], { kind: 'approve', by: 'ann' });
  expect(end.status).toBe('approved');
};

/** Goes on from the best version, the first of equal ones: the one that a person answered. */
const keepsTheBest: Loop = async (improve, scoreOf) => {
  let best = waits;
  for (let round = 0; round < 3 && scoreOf(best) < 1; round += 1) {
    const next = await improve(best);
    if (scoreOf(next) > scoreOf(best)) best = next;
  }
};

describe('what a person allowed is done once', () => {
  it('holds for the engine [R2-052]', () => runsOnce(engine));
  it('is broken by a loop that goes on from the best version whatever was answered [R2-052]', async () => {
    await expect(runsOnce(keepsTheBest)).rejects.toThrow('the tool ran again');
  });
});

const cost = 100;

/** What failed attempts used is reported and bounded by the budget, over continuations. */
async function countsFailures(store: Store): Promise<void> {
  let spent = 0;
  const pipeline = definePipeline<string, string>({
    produce: async (_, context) => {
      spent += cost;
      context.reportUsage({ totalTokens: cost });
      if (spent <= 5 * cost) throw new Error('the process ended');
      return 'work';
    },
    criteria: { fine: () => true },
    retries: 0,
    budget: { tokens: 250 },
    store,
  });
  let outcome: Outcome<string> | undefined;
  for (let call = 0; call < 7 && outcome?.approved !== true; call += 1)
    outcome = await pipeline.run('task', { runId: 'r' });
  const { produce } = outcome?.usage ?? {};
  expect(produce?.totalTokens, 'lost what failed attempts used').toBe(spent);
  expect(spent, 'passed the budget').toBeLessThanOrEqual(250 + cost);
  expect(outcome?.approved).toBe(false);
}

/** Forgets what failed attempts and ended processes used. */
function forgetsFailures(store: Store): Store {
  return {
    ...store,
    open: async (runId, keep) => {
      const journal = await store.open(runId, keep);
      return {
        ...journal,
        append: (record) => {
          if (record.type !== 'attempt' && record.type !== 'end') return journal.append(record);
          const { usage: _, ...rest } = record;
          return journal.append(rest);
        },
      };
    },
  };
}

describe('what failed attempts used is counted over continuations', () => {
  it('holds for the engine [R2-058]', () => countsFailures(memoryStore()));
  it('is broken by a store that forgets what failed attempts used [R2-058]', async () => {
    await expect(countsFailures(forgetsFailures(memoryStore()))).rejects.toThrow(
      'lost what failed attempts used',
    );
  });
});
