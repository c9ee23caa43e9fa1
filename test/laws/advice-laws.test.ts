import { describe, expect, it } from 'vitest';
import { definePipeline, type Outcome, type Policy, type Reviewer } from '@/index.js';
import { reviewer } from '../unit/engine/support.js';

type Judge = Reviewer<string, string>;
const judge = (review: Judge['review'], id = 'advice'): Judge =>
  reviewer(id, review, { tier: 'model' });
const failing = judge(async () => [
  { verdict: 'fail', criterion: 'advice', score: 0, explanation: 'bad', gaps: [] },
]);
const broken = judge(() => Promise.reject(new Error('outage')));
const silent = judge(async () => [
  { verdict: 'skipped', criterion: 'advice', reason: 'nobody was there' },
]);

/** How work is let through beside a judge that only advises. */
type LetsThrough = (advice: Judge, more?: readonly Judge[]) => Promise<Outcome<string>>;

const run = (reviewers: readonly Judge[], policy?: Policy): Promise<Outcome<string>> =>
  definePipeline<string, string>({
    produce: async () => 'tea',
    reviewers,
    retries: 0,
    ...(policy && { policy }),
  }).run('task');

/** Laws 1 and 3: what goes through although nobody approved it is accepted, with its verdict beside it, and never approved. */
async function adviceIsNotApproval(letsThrough: LetsThrough): Promise<void> {
  for (const [advice, verdict] of [
    [failing, 'fail'],
    [broken, 'errored'],
    [silent, 'skipped'],
  ] as const) {
    const outcome = await letsThrough(advice);
    expect(outcome.approved, `approved what was ${verdict}`).toBe(false);
    expect(outcome, 'was not let through').toMatchObject({
      status: 'accepted',
      output: 'tea',
      acceptance: { kind: 'advisory' },
    });
    expect(outcome.reviews[0]?.assessments[0]?.verdict, 'the verdict was lost').toBe(verdict);
  }
}

/** Law 5: advice does not take a dissent away. */
async function dissentHoldsUp(letsThrough: LetsThrough): Promise<void> {
  const dissent: Judge = {
    ...judge(
      async () => [
        { verdict: 'fail', criterion: 'dissent', score: 0, explanation: 'no', gaps: [] },
      ],
      'dissent',
    ),
    tier: 'confirm',
  };
  expect((await letsThrough(failing, [dissent])).status, 'a dissent was let through').not.toBe(
    'accepted',
  );
}

const advisory: LetsThrough = (advice, more = []) =>
  run([advice, ...more], () => ({ kind: 'accept', code: 'advised', reason: 'it only advises' }));

describe('laws 1, 3 and 5: what only advises lets through, and approves nothing', () => {
  it('hold for a policy that accepts', async () => {
    await adviceIsNotApproval(advisory);
    await dissentHoldsUp(advisory);
  });

  it('are broken by a judge whose failures are passes, as the six reviews that timed out were', async () => {
    const lenient = (advice: Judge): Judge => ({
      ...advice,
      review: async () => [
        {
          verdict: 'pass',
          criterion: 'advice',
          score: 1,
          explanation: 'nothing was said against it',
          gaps: [],
        },
      ],
    });
    await expect(adviceIsNotApproval((advice) => run([lenient(advice)]))).rejects.toThrow(
      'approved what was fail',
    );
  });

  it('cannot be broken by a policy that approves what broke or was not judged: the engine lets it through in no way', async () => {
    const careless: Policy = () => ({ kind: 'approve', reason: 'it only advises' });
    for (const advice of [broken, silent])
      expect(await run([advice], careless)).toMatchObject({
        approved: false,
        status: 'inconclusive',
      });
  });

  it('are broken by who leaves the confirming judges out', async () => {
    await expect(dissentHoldsUp((advice) => advisory(advice))).rejects.toThrow(
      'a dissent was let through',
    );
  });
});
