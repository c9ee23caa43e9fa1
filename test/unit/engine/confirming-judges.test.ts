import { describe, expect, it } from 'vitest';
import { definePipeline, type PipelineOptions, type Policy } from '../../../src/index.js';
import { failed, passed, reviewer } from './support.js';

type Gaps = Parameters<typeof failed>[2];

const approve: Policy = () => ({ kind: 'approve', reason: 'fine' });

/** The decision on an output whose confirming judge finds these gaps, each with its words. */
async function decisionOn(
  gaps: Readonly<Record<string, Gaps>>,
  more: Partial<PipelineOptions<string, string>> = {},
) {
  const { decision } = await definePipeline<string, string>({
    reviewers: [
      reviewer('a', async () => [passed('a')]),
      ...Object.entries(gaps).map(([words, gap]) =>
        reviewer<string>(`confirm:${words}`, async () => [failed(`confirm:${words}`, words, gap)], {
          tier: 'confirm',
        }),
      ),
    ],
    policy: approve,
    ...more,
  }).review('task', 'x');
  return decision;
}

describe('an approval against a confirming judge', () => {
  it('is a revision of what can be fixed, of all that it found', async () => {
    const decision = await decisionOn({
      'too long': {},
      'too dark': { autoFixable: false },
      'not so': { standing: 'disputed' },
    });
    expect(decision).toMatchObject({
      kind: 'revise',
      from: 'latest',
      blocking: [{ description: 'too long' }],
    });
    for (const words of ['too long', 'too dark', 'not so'])
      expect(decision.reason).toContain(words);
  });

  it('is left to a person where nothing can be fixed', async () => {
    expect(await decisionOn({ 'too dark': { autoFixable: false } })).toMatchObject({
      kind: 'stop',
      status: 'escalated',
      code: 'unfixable',
    });
  });

  it('is left to a person where all is disputed', async () => {
    expect(await decisionOn({ 'not so': { standing: 'disputed' } })).toMatchObject({
      kind: 'stop',
      status: 'escalated',
      code: 'disputed',
    });
  });

  it('stands where a reviewer that does not confirm found something', async () => {
    const { decision } = await definePipeline<string, string>({
      reviewers: [
        reviewer('a', async () => [failed('a', 'a remark', { severity: 'minor' })]),
        reviewer('confirm:a', async () => [passed('confirm:a')], { tier: 'confirm' }),
      ],
      policy: approve,
    }).review('task', 'x');
    expect(decision.reason).not.toContain('dissents');
  });
});

describe('reviewers whose turn comes later', () => {
  /** The verdicts of a review whose first tier fails or passes, and who was asked. */
  const review = async (fails: boolean, more: Partial<PipelineOptions<string, string>>) => {
    const asked: string[] = [];
    const judge = (id: string, tier: 'code' | 'model' | 'confirm', isFine: boolean) =>
      reviewer<string>(
        id,
        async () => {
          asked.push(id);
          return [isFine ? passed(id) : failed(id)];
        },
        { tier },
      );
    const { assessments, complete } = await definePipeline<string, string>({
      reviewers: [
        judge('code', 'code', !fails),
        judge('model', 'model', true),
        judge('confirm:code', 'confirm', true),
      ],
      ...more,
    }).review('task', 'x');
    return { asked, complete, verdicts: assessments.map(({ verdict }) => verdict) };
  };

  it('are asked if all before passed', async () => {
    for (const failFast of [true, false])
      expect(await review(false, { failFast })).toEqual({
        asked: ['code', 'model', 'confirm:code'],
        complete: true,
        verdicts: ['pass', 'pass', 'pass'],
      });
  });

  it('are not asked once approval is impossible; without `failFast`, only those that confirm', async () => {
    expect(await review(true, { failFast: true })).toEqual({
      asked: ['code'],
      complete: false,
      verdicts: ['fail', 'skipped', 'skipped'],
    });
    expect(await review(true, { failFast: false })).toEqual({
      asked: ['code', 'model'],
      complete: false,
      verdicts: ['fail', 'pass', 'skipped'],
    });
  });

  it('are asked where the policy would approve all the same', async () => {
    expect((await review(true, { failFast: true, policy: approve })).asked).toEqual([
      'code',
      'model',
      'confirm:code',
    ]);
  });

  it('are asked where the policy would ask a person, or accept', async () => {
    for (const policy of [
      () => ({ kind: 'ask', reason: 'risky', question: 'fine?', allowed: ['reject'] }) as const,
      () => ({ kind: 'accept', code: 'advisory', reason: 'only advice' }) as const,
    ]) {
      const asked: string[] = [];
      await definePipeline<string, string>({
        produce: async () => 'x',
        reviewers: (['code', 'model'] as const).map((tier) =>
          reviewer<string>(
            tier,
            async () => {
              asked.push(tier);
              return [failed(tier)];
            },
            { tier },
          ),
        ),
        failFast: true,
        policy,
      }).run('task', { runId: 'r' });
      expect(asked).toEqual(['code', 'model']);
    }
  });
});
