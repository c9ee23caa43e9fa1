import { describe, expect, it } from 'vitest';
import { definePipeline, type Gap, type PipelineOptions, type Policy } from '../../../src/index.js';
import { failed, passed, reviewer } from './support.js';

/** What `address` was asked to mend, and from which output. */
function mended(more: Partial<PipelineOptions<string, string>>) {
  const asked: { readonly from: string; readonly gaps: readonly string[] }[] = [];
  const pipeline = definePipeline<string, string>({
    produce: async () => 'x',
    address: async (output, gaps) => {
      asked.push({ from: output, gaps: gaps.map(({ description }) => description) });
      return `${output}!`;
    },
    policy: () => undefined,
    budget: { reviews: 2 },
    ...more,
  });
  return { asked, run: () => pipeline.run('task') };
}

const mixed = reviewer<string>('mixed', async () => [
  failed('open', 'open'),
  failed('disputed', 'disputed', { standing: 'disputed' }),
  failed('waived', 'waived', { standing: 'waived' }),
  failed('stuck', 'not fixable', { autoFixable: false }),
]);

const blockingOf = (review: { readonly decision: object } | undefined): readonly Gap[] =>
  (review?.decision as { readonly blocking?: readonly Gap[] } | undefined)?.blocking ?? [];

describe('a policy without an opinion', () => {
  it('has open gaps mended that can be, and no others', async () => {
    const { asked, run } = mended({ reviewers: [mixed] });
    const [first] = (await run()).reviews;
    expect(first?.decision).toMatchObject({ kind: 'revise', from: 'best' });
    expect(blockingOf(first).map(({ description }) => description)).toEqual(['open']);
    expect(asked[0]?.from).toBe('x');
  });

  it('goes on from the best version', async () => {
    const { asked, run } = mended({
      reviewers: [
        reviewer('a', async ({ output }) =>
          output === 'x' ? [failed('a')] : [failed('a'), failed('b', 'worse')],
        ),
      ],
      budget: { reviews: 3 },
    });
    const { reviews, status } = await run();
    expect(asked.map(({ from }) => from)).toEqual(['x', 'x']);
    expect(reviews).toHaveLength(2);
    expect(status).toBe('stalled');
  });

  it.each<[string, PipelineOptions<string, string>['reviewers']]>([
    [
      'gaps are left that nobody may mend',
      [
        reviewer('a', async () => [
          failed('stuck', 'not fixable', { autoFixable: false }),
          failed('disputed', 'disputed', { standing: 'disputed' }),
        ]),
      ],
    ],
    [
      'a judge failed',
      [
        reviewer('a', async () => [failed('a')]),
        reviewer('down', async () => {
          throw new Error('down');
        }),
      ],
    ],
    ['nothing is wrong', [reviewer('a', async () => [passed('a')])]],
  ])('ends the run where %s', async (_, reviewers) => {
    const { asked, run } = mended({ ...(reviewers && { reviewers }), retries: 0 });
    expect(await run()).toMatchObject({ status: 'inconclusive', code: 'no_decision' });
    expect(asked).toEqual([]);
  });
});

describe('a policy that wants gaps to be revised', () => {
  const revising =
    (choose: (gaps: readonly Gap[]) => readonly Gap[]): Policy =>
    ({ review }) => ({
      kind: 'revise',
      reason: 'mend it',
      from: 'latest',
      blocking: choose(review.gaps) as unknown as readonly [Gap],
    });

  it('has only open ones revised', async () => {
    const { run } = mended({ reviewers: [mixed], policy: revising((gaps) => gaps) });
    const [first] = (await run()).reviews;
    expect(first?.decision).toMatchObject({ kind: 'revise', reason: 'mend it', from: 'latest' });
    expect(blockingOf(first).map(({ description }) => description)).toEqual([
      'open',
      'not fixable',
    ]);
  });

  it.each([
    ['only disputed gaps', 'disputed', { status: 'escalated', code: 'disputed' }],
    ['no gap at all', 'none', { status: 'stalled', code: 'nothing_to_revise' }],
  ])('is stopped where it names %s', async (_, standing, end) => {
    const chosen = (gap: Gap): boolean => gap.standing === standing;
    const { asked, run } = mended({
      reviewers: [mixed],
      policy: revising((gaps) => gaps.filter(chosen)),
    });
    expect(await run()).toMatchObject(end);
    expect(asked).toEqual([]);
  });
});
