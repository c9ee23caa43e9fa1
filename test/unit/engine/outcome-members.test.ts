import { describe, expect, it } from 'vitest';
import { outcomeOf, type RunResult } from '../../../src/engine/run-result.js';
import { definePipeline, type Review, ReviewLoopError } from '../../../src/index.js';
import { failed, passed, reviewer } from './support.js';

const used = { produce: { totalTokens: 1 }, review: {}, address: { costUsd: 2 } };
const review = (version: string, iteration: number) =>
  ({ version, iteration }) as unknown as Review;
const version = {
  ...{ digest: 'd', iteration: 1, parent: undefined, output: 'x', tree: undefined },
};
const why = { code: 'c', reason: 'why' };

const outcome = (result: RunResult<string>, more: object = {}) =>
  outcomeOf({ id: 'r', reviews: [], ledger: { usage: used }, ...more }, result);

describe('an outcome', () => {
  const base = { runId: 'r', ...why, reviews: [], usage: used };

  it('has the members of its status, and none that is unknown', () => {
    expect(outcome({ ...why, status: 'approved', version })).toStrictEqual({
      ...{ ...base, status: 'approved', approved: true, output: 'x', version: 'd' },
    });
    const acceptance = { kind: 'advisory', by: 'policy', reason: 'fine' } as const;
    expect(outcome({ ...why, status: 'accepted', version, acceptance })).toStrictEqual({
      ...{ ...base, status: 'accepted', approved: false, output: 'x', version: 'd', acceptance },
    });
    expect(outcome({ ...why, status: 'stalled', version: undefined })).toStrictEqual({
      ...{ ...base, status: 'stalled', approved: false, output: undefined },
    });
  });

  it('has the tree, the error, the person and what changed where there are any', () => {
    const error = new ReviewLoopError('cancelled', 'enough');
    const changed = ['the settings changed'];
    const whole = { ...version, tree: 't' };
    const result = {
      ...why,
      status: 'cancelled',
      version: whole,
      error,
      decidedBy: 'Ann',
    } as const;
    expect(outcome(result, { changed })).toStrictEqual({
      ...{ ...base, status: 'cancelled', approved: false, output: 'x', version: 'd' },
      ...{ workspace: 't', error, decidedBy: 'Ann', changed },
    });
  });

  it('has the last review of its version', () => {
    const reviews = [review('d', 1), review('e', 2), review('d', 3), review('f', 4)];
    const result = { ...why, status: 'stalled', version } as const;
    expect(outcome(result, { reviews }).review).toBe(reviews[2]);
    const other = outcome({ ...result, version: { ...version, digest: 'g' } }, { reviews });
    expect(other).not.toHaveProperty('review');
  });

  it('of a run is about the version that it returns', async () => {
    const run = await definePipeline<string, string>({
      produce: async () => 'good',
      address: async () => 'worse',
      reviewers: [
        reviewer('a', async ({ output }) =>
          output === 'good' ? [failed('a')] : [failed('a'), failed('b')],
        ),
        reviewer('c', async () => [passed('c')]),
      ],
      budget: { reviews: 2 },
    }).run('task');
    expect(run).toMatchObject({ output: 'good', reviews: [{ iteration: 1 }, { iteration: 2 }] });
    expect(run.review).toBe(run.reviews[0]);
    expect(run.version).toBe(run.reviews[0]?.version);
  });
});
