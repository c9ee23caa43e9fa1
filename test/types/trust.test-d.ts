import { describe, expectTypeOf, it } from 'vitest';
import { autonomous, fast, guarded } from '@/blocks/pipeline/trust-presets.js';
import { type RepairLedger, repairLedger } from '@/engine/policies/attempts.js';
import { askDisputed, holdProtected } from '@/engine/policies/guards.js';
import { preferred } from '@/engine/policies/preferred.js';
import { bestOf, refineOrResample } from '@/engine/policies/sampling.js';
import {
  confirm,
  criterion,
  type Decision,
  definePipeline,
  doNoHarm,
  isJudged,
  keepBest,
  type LLMProvider,
  llmCriterion,
  noProgress,
  type Outcome,
  type Policy,
  pairwise,
  panel,
  type Ranking,
  type Reviewer,
  type ReviewerContext,
  SelfReviewLoop,
  type Trust,
  thresholds,
  verified,
} from '@/index.js';

interface Page {
  readonly html: string;
}
declare const provider: LLMProvider;
declare const reviewer: Reviewer<string, Page>;

describe('blocks of trust', () => {
  it('are reviewers of what they take', () => {
    expectTypeOf(verified(reviewer)).toEqualTypeOf<Reviewer<string, Page>>();
    expectTypeOf(
      verified(reviewer, { opinions: 3, confirmWith: [provider], agree: 'criterion' }),
    ).toEqualTypeOf<Reviewer<string, Page>>();
    expectTypeOf(panel([reviewer, reviewer], { quorum: 2, tie: 'errored', veto: 1 })).toEqualTypeOf<
      Reviewer<string, Page>
    >();
    expectTypeOf(confirm({ reviewers: [reviewer], providers: [provider] })).toEqualTypeOf<
      Reviewer<string, Page>[]
    >();
    expectTypeOf(pairwise()).toEqualTypeOf<Reviewer<unknown, unknown>>();
    expectTypeOf(verified(criterion('a', (text: string) => text !== ''))).toExtend<
      Reviewer<string, string>
    >();
    definePipeline<string, Page>({
      reviewers: [
        verified(reviewer),
        panel([reviewer]),
        pairwise(),
        ...confirm({ providers: [provider] }),
      ],
    });
    // @ts-expect-error a reviewer of something else
    definePipeline<string, string>({ reviewers: [verified(reviewer)] });
    // @ts-expect-error a tie is never a pass
    panel([reviewer], { tie: 'pass' });
    // @ts-expect-error opinions are a number
    verified(reviewer, { opinions: 'many' });
  });

  it('are policies and rankings', () => {
    for (const policy of [
      bestOf(4),
      refineOrResample(noProgress(), { samples: 2 }),
      doNoHarm(thresholds(), { earlier: [] }),
      holdProtected(thresholds(), ['a']),
      askDisputed(thresholds()),
    ])
      expectTypeOf(policy).toEqualTypeOf<Policy>();
    expectTypeOf(keepBest({ protect: (id) => id.startsWith('safe') })).toEqualTypeOf<Ranking>();
    expectTypeOf(preferred({ protect: ['a'], otherwise: keepBest() })).toEqualTypeOf<Ranking>();
    expectTypeOf(repairLedger(({} as Outcome<string>).reviews)).toEqualTypeOf<RepairLedger>();
    expectTypeOf<Extract<Decision, { kind: 'revise' }>['from']>().toEqualTypeOf<
      'best' | 'latest' | 'anew'
    >();
    // @ts-expect-error a policy is needed
    doNoHarm();
    // @ts-expect-error a list, or a test
    keepBest({ protect: 'safe' });
  });

  it('presets are values', () => {
    expectTypeOf(fast).toEqualTypeOf<Trust>();
    definePipeline<string, Page>({
      reviewers: [reviewer],
      trust: guarded,
      confirmWith: provider,
    });
    definePipeline<string, Page>({
      reviewers: [reviewer],
      trust: guarded,
      confirmWith: [provider, provider],
    });
    new SelfReviewLoop([], {}, { trust: autonomous, confirmWith: provider });
    // @ts-expect-error no such preset
    definePipeline<string, Page>({ reviewers: [reviewer], trust: 'paranoid' });
  });

  it('show what they know', () => {
    const [assessment] = ({} as Outcome<string>).reviews[0]?.assessments ?? [];
    if (assessment !== undefined && isJudged(assessment)) {
      expectTypeOf(assessment.votes?.agreement).toEqualTypeOf<number | undefined>();
      expectTypeOf(assessment.grade?.given).toEqualTypeOf<number | undefined>();
      expectTypeOf(assessment.comparison?.result).toEqualTypeOf<
        'better' | 'worse' | 'tie' | undefined
      >();
    }
    expectTypeOf<ReviewerContext['best']>().toEqualTypeOf<
      { readonly iteration: number; readonly output: unknown } | undefined
    >();
    expectTypeOf(
      llmCriterion<string>({ id: 'a', question: 'b?' }).asks?.asking(provider, { whole: true }),
    ).toEqualTypeOf<Reviewer<unknown, string> | undefined>();
  });
});
