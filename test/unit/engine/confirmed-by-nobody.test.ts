import { describe, expect, it } from 'vitest';
import { type Assessment, definePipeline, type Reviewer } from '../../../src/index.js';
import { failed, passed, reviewer } from './support.js';

const away = (criterion: string): Assessment => ({
  ...{ verdict: 'skipped', criterion, reason: 'it has no pictures' },
});
const judge = (id: string, ...assessments: readonly Assessment[]) =>
  reviewer<string>(id, async () => [...assessments], { tier: 'model' });
const confirming = (id: string, ...assessments: readonly Assessment[]) =>
  reviewer<string>(id, async () => [...assessments], { tier: 'confirm' });

/** What a review says of each criterion, and how it ends. */
async function reviewed(...reviewers: readonly Reviewer<unknown, string>[]) {
  const outcome = await definePipeline<string, string>({
    produce: async () => 'x',
    reviewers,
    failFast: false,
  }).run('task');
  const verdicts = outcome.reviews[0]?.assessments.map(
    ({ criterion, verdict }) => `${criterion}: ${verdict}`,
  );
  return { verdicts, status: outcome.status, outcome };
}

describe('a confirming judge to whom its question does not apply', () => {
  it('confirms nothing: what the other judge said is undecided', async () => {
    const { verdicts, status, outcome } = await reviewed(
      judge('a', passed('a')),
      confirming('confirm:a', away('confirm:a')),
    );
    expect(verdicts).toEqual(['a: pass', 'confirm:a: undecided']);
    expect(status).toBe('inconclusive');
    expect(outcome.reviews[0]?.assessments[1]).toMatchObject({
      decidableBy: ['person'],
      reason: expect.stringContaining('it has no pictures'),
    });
  });

  it('is not needed where another judge confirms', async () => {
    const { verdicts, status } = await reviewed(
      judge('a', passed('a')),
      confirming('confirm:a:1', away('confirm:a:1')),
      confirming('confirm:a:2', passed('confirm:a:2')),
    );
    expect(verdicts).toEqual(['a: pass', 'confirm:a:1: skipped', 'confirm:a:2: pass']);
    expect(status).toBe('approved');
  });

  it('is right where the question applied to nobody', async () => {
    const { verdicts } = await reviewed(
      judge('a', away('a')),
      judge('b', passed('b')),
      confirming('confirm:a', away('confirm:a')),
    );
    expect(verdicts).toEqual(['a: skipped', 'b: pass', 'confirm:a: skipped']);
  });

  it('leaves open only what no other judge confirms', async () => {
    const { verdicts } = await reviewed(
      judge('a', passed('a/one'), passed('a/two')),
      confirming('confirm:a', passed('confirm:a/a/one'), away('confirm:a/a/two')),
    );
    expect(verdicts?.slice(2)).toEqual(['confirm:a/a/one: pass', 'confirm:a/a/two: undecided']);
  });
});

describe('a review in which nothing is left out', () => {
  it('is as its judges say, with and without one that confirms', async () => {
    expect((await reviewed(judge('a', passed('a')))).verdicts).toEqual(['a: pass']);
    const both = await reviewed(judge('a', passed('a')), confirming('confirm:a', failed('x')));
    expect(both.verdicts).toEqual(['a: pass', 'x: fail']);
    const skipping = await reviewed(judge('a', passed('a')), judge('b', away('b')));
    expect(skipping).toMatchObject({ verdicts: ['a: pass', 'b: skipped'], status: 'approved' });
  });
});
