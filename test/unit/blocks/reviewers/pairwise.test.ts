import { describe, expect, it } from 'vitest';
import { readFences } from '@/blocks/models/prompt/fence.js';
import { preferred } from '@/engine/policies/preferred.js';
import {
  allPass,
  definePipeline,
  isJudged,
  keepBest,
  type LLMRequest,
  memoryStore,
  type PipelineOptions,
  pairwise,
  type Ranking,
} from '@/index.js';
import { scriptedProvider } from '@/testing/index.js';
import { fail, pass, reviewOf } from '../../engine/policies/fixtures.js';

/** What stands in the fences of one of the two outputs. */
const shown = ({ messages }: LLMRequest, name: 'A' | 'B') =>
  readFences(messages[0]?.content ?? '').find(({ label }) => label.startsWith(`${name} `))?.text ??
  '';
const tokenIn = ({ messages }: LLMRequest) =>
  /The token is (\w+)\./.exec(messages[1]?.content ?? '')?.[1];

/** A judge that reads both outputs. */
const comparing = (prefer: (a: string, b: string) => 'A' | 'B' | 'tie') =>
  scriptedProvider(
    (request) =>
      JSON.stringify({
        token: tokenIn(request),
        better: prefer(shown(request, 'A'), shown(request, 'B')),
        reason: 'read',
      }),
    { id: 'comparing' },
  );
const longer = comparing((a, b) =>
  a.length === b.length ? 'tie' : a.length > b.length ? 'A' : 'B',
);
const firstAlways = comparing(() => 'A');

/** Versions one after the other, none of which the check passes. */
function versions(texts: readonly string[], options: Partial<PipelineOptions<string, string>>) {
  let next = 1;
  return definePipeline<string, string>({
    produce: async () => texts[0] ?? '',
    address: async () => texts[next++] ?? '',
    criteria: { ok: { check: () => 'no', severity: 'minor' } },
    failFast: false,
    policy: ({ review }) => ({
      kind: 'revise',
      reason: 'on',
      from: 'best',
      blocking: [review.gaps[0]!],
    }),
    ranking: preferred(),
    budget: { reviews: texts.length },
    ...options,
  });
}

describe('pairwise', () => {
  it('compares each version with the best before it, in both orders, and the ranking reads it', async () => {
    const judge = longer;
    const before = judge.requests.length;
    const outcome = await versions(['aa', 'a', 'aaa'], {
      reviewers: [pairwise({ provider: judge })],
    }).run('task');
    expect(outcome.output).toBe('aaa');
    expect(judge.requests.length - before).toBe(4);
    const comparisons = outcome.reviews
      .map(({ assessments }) => assessments.find(({ criterion }) => criterion === 'pairwise'))
      .map((found) => found !== undefined && isJudged(found) && found.comparison);
    expect(comparisons).toEqual([
      { with: 1, result: 'tie', flipped: false },
      { with: 1, result: 'worse', flipped: false },
      { with: 1, result: 'better', flipped: false },
    ]);
  });

  it('takes a preference that changes with the order for a tie, which keeps the incumbent', async () => {
    const outcome = await versions(['aa', 'aaaa'], {
      reviewers: [pairwise({ provider: firstAlways })],
    }).run('task');
    expect(outcome.output).toBe('aa');
    const found = outcome.reviews[1]?.assessments.find(({ criterion }) => criterion === 'pairwise');
    expect(found).toMatchObject({
      comparison: { with: 1, result: 'tie', flipped: true },
      explanation: expect.stringContaining('changed with the order') as string,
    });
  });

  it('has no part in scores, and approves nothing alone', async () => {
    const reviewers = [pairwise({ provider: longer })];
    for (const policy of [allPass(), () => ({ kind: 'approve', reason: 'r' }) as const]) {
      const pipeline = definePipeline<string, string>({ produce: () => 'a', reviewers, policy });
      const nothing = { status: 'inconclusive', code: 'nothing_judged' };
      expect(await pipeline.run('task')).toMatchObject(nothing);
    }
    const scored = await versions(['aa', 'aaa'], { reviewers }).run('task');
    expect(scored.reviews.map(({ scores }) => scores.quality)).toEqual([0, 0]);
  });

  it('passes with everything else', async () => {
    const pipeline = definePipeline<string, string>({
      produce: async () => 'a',
      criteria: { ok: () => true },
      reviewers: [pairwise()],
      provider: longer,
      policy: allPass(),
    });
    expect((await pipeline.run('task')).status).toBe('approved');
  });

  it('is recorded: a run that is resumed asks nobody again', async () => {
    const [store, judge] = [memoryStore(), comparing((a, b) => (a > b ? 'A' : 'B'))];
    const texts = ['a', 'b'];
    const run = () =>
      versions(texts, {
        reviewers: [pairwise({ provider: judge })],
        store,
        policy: ({ review, iteration }) =>
          iteration === 2
            ? { kind: 'ask', reason: 'r', question: 'q?', allowed: ['override'] }
            : { kind: 'revise', reason: 'on', from: 'best', blocking: [review.gaps[0]!] },
      }).run('task', { runId: 'r' });
    expect((await run()).status).toBe('suspended');
    expect(judge.requests).toHaveLength(2);
    expect(
      (await run()).reviews[1]?.assessments.find(({ criterion }) => criterion === 'pairwise'),
    ).toMatchObject({ comparison: { result: 'better' } });
    expect(judge.requests).toHaveLength(2);
  });

  it('is errored by an answer without the token, an outage, and versions that do not fit', async () => {
    const errorOf = async (options: Parameters<typeof pairwise>[0]) => {
      const outcome = await versions(['aa', 'aaa'], {
        reviewers: [pairwise(options)],
        retries: 0,
      }).run('task');
      const found = outcome.reviews[1]?.assessments.find(
        ({ criterion }) => criterion === 'pairwise',
      );
      return found?.verdict === 'errored' ? found.error.code : found?.verdict;
    };
    const guessed = scriptedProvider(() => JSON.stringify({ token: 'x', better: 'A', reason: '' }));
    expect(await errorOf({ provider: guessed })).toBe('answer_mismatch');
    const down = scriptedProvider(() => new Error('down'));
    expect(await errorOf({ provider: down })).toBe('provider_unavailable');
    const generate = () => Promise.reject(new TypeError('no field'));
    expect(await errorOf({ provider: { ...longer, generate } })).toBe('provider_unavailable');
    expect(await errorOf({ provider: longer, maxPromptTokens: 1 })).toBe('view_truncated');
  });

  it('refuses what it cannot do', () => {
    expect(() => pairwise({ question: ' ' })).toThrow('question');
    expect(() => pairwise({ judge: 1 } as object)).toThrow('pairwise has no option `judge`');
    expect(() => preferred({ otherwise: 1 as unknown as Ranking })).toThrow('otherwise');
    expect(() => preferred({ with: 1 } as object)).toThrow('preferred has no option `with`');
  });
});

describe('preferred', () => {
  const compared = (result: 'better' | 'worse' | 'tie', against = 1) => ({
    ...pass('pairwise'),
    comparison: { with: against, result, flipped: false },
  });
  const incumbent = reviewOf([pass('safe'), fail('a')], { iteration: 1 });

  it('holds protected criteria against any preference', () => {
    const challenger = reviewOf([fail('safe'), fail('a'), compared('better')], { iteration: 2 });
    expect(preferred()(challenger, incumbent)).toBe(true);
    expect(preferred({ protect: ['safe'] })(challenger, incumbent)).toBe(false);
  });

  it('leaves it to the other ranking where the two were not compared', () => {
    const challenging = (against: number, iteration: number) =>
      reviewOf([pass('safe'), pass('a'), compared('worse', against)], { iteration });
    const challenger = challenging(7, 8);
    expect(preferred()(challenger, incumbent)).toBe(keepBest()(challenger, incumbent));
    expect(preferred()(challenging(1, 2), incumbent)).toBe(false);
  });
});
