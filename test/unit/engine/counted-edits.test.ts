import { describe, expect, it } from 'vitest';
import { definePipeline, type Reviewer, thresholds } from '../../../src/index.js';
import { failed, passed, reviewer } from './support.js';

/** A reviewer that counts how often its part of the text was edited. */
function counting(id: string, more: Partial<Reviewer<unknown, string>> = {}) {
  const seen: (number | undefined)[] = [];
  const counts = reviewer<string>(
    id,
    async ({ edits }) => {
      seen.push(edits);
      return [passed(id)];
    },
    { countsEdits: true, ...more },
  );
  return { counts, seen };
}

const loud = (marks: number) =>
  reviewer<string>('loud', async ({ output }) => [
    output.endsWith('!'.repeat(marks)) ? passed('loud') : failed('loud'),
  ]);

const run = (reviewers: readonly Reviewer<unknown, string>[], more: object = {}) =>
  definePipeline<string, string>({
    produce: async () => 'a b',
    address: async (output) => `${output}!`,
    reviewers,
    policy: thresholds(),
    ranking: () => true,
    budget: { reviews: 4 },
    ...more,
  }).run('task');

describe('a reviewer that counts edits', () => {
  it('is told how often its text was edited, and others are told nothing', async () => {
    const { counts, seen } = counting('all');
    const other = counting('other', { countsEdits: undefined });
    const outcome = await run([loud(3), counts, other.counts], { failFast: false });
    expect(outcome.status).toBe('approved');
    expect(seen).toEqual([0, 1, 2, 3]);
    expect(other.seen).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('counts edits of the part that it reads only', async () => {
    const { counts, seen } = counting('part', { scope: ({ output }) => output.split(' ')[0] });
    const { status } = await run([loud(3), counts], { failFast: false });
    expect(status).toBe('approved');
    expect(seen).toEqual([0]);
  });

  it('counts edits of versions that it was not asked about', async () => {
    const { counts, seen } = counting('later', { tier: 'model' });
    const outcome = await run([loud(2), counts]);
    expect(outcome.status).toBe('approved');
    expect(seen).toEqual([2]);
  });

  it('and whose scope fails is not asked, and the review says why', async () => {
    const { counts, seen } = counting('part', {
      scope: () => {
        throw new Error('no such part');
      },
    });
    expect((await run([counts])).reviews[0]?.assessments).toMatchObject([
      { verdict: 'errored', criterion: 'part', error: { code: 'scope_failed' } },
    ]);
    expect(seen).toEqual([]);
  });
});
