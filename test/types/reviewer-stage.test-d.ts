import { describe, expectTypeOf, it } from 'vitest';
import {
  type AgentOutput,
  definePipeline,
  type LLMProvider,
  type Outcome,
  type Reviewer,
  reviewOutput,
  textOutput,
} from '@/index.js';
import type { Dimension } from '@/products/reviewer-stage/dimension.js';
import { DimensionAssessor } from '@/products/reviewer-stage/dimension-assessor.js';
import { ChecklistDimension } from '@/products/reviewer-stage/dimensions/checklist-dimension.js';
import { dimension } from '@/products/reviewer-stage/dimensions/dimension-reviewer.js';
import {
  type CompletedWork,
  fromDimension,
  ReviewerStage,
  type StageDecision,
  type StageResult,
  SummaryGenerator,
} from '@/products/reviewer-stage/index.js';

declare const provider: LLMProvider;
declare const work: CompletedWork;

describe('the reviewer stage', () => {
  it('reviews work to a decision, dimensions, a summary and perhaps feedback [RV-74, RV-75, RV-76]', () => {
    const stage = new ReviewerStage({
      provider,
      humanReview: 'prompt',
      thresholds: { safety: 'excellent' },
    });
    expectTypeOf(stage.review(work)).resolves.toEqualTypeOf<StageResult>();
    expectTypeOf<StageDecision>().toEqualTypeOf<'APPROVED' | 'REJECTED' | 'INCONCLUSIVE'>();
    expectTypeOf<StageResult>().toHaveProperty('dimensions');
    expectTypeOf<StageResult>().toHaveProperty('summary');
    expectTypeOf<StageResult['feedback']>().extract<undefined>().toEqualTypeOf<undefined>();
    expectTypeOf<StageResult['run']>().toEqualTypeOf<Outcome<CompletedWork>>();
    // @ts-expect-error not a level
    new ReviewerStage({ provider, minQuality: 'superb' });
  });

  it('a dimension has a name and returns a level, an explanation and issues, which may be texts [RV-77, RV-78, RV-79]', () => {
    const mine: Dimension = {
      id: 'mine',
      name: 'Mine',
      assess: async ({ changedFiles }) => ({
        level: 'needs_work',
        explanation: String(changedFiles.length),
        issues: ['a text', { message: 'one with a place', location: { file: 'a.ts', line: 1 } }],
      }),
    };
    expectTypeOf(fromDimension(mine, { threshold: 'good' })).toEqualTypeOf<
      Reviewer<unknown, CompletedWork>
    >();
    expectTypeOf(new DimensionAssessor([mine]).assess(work)).resolves.toBeArray();
    const wrong: Dimension = {
      id: 'x',
      name: 'X',
      // @ts-expect-error no level of that name
      assess: async () => ({ level: 'NeedsWork', explanation: '', issues: [] }),
    };
    expectTypeOf(wrong.id).toBeString();
    abstract class Asks extends ChecklistDimension {}
    expectTypeOf<Asks>().toExtend<Dimension>();
  });

  it('the summary generator takes the work, the decision and the dimensions [RV-80]', () => {
    expectTypeOf(new SummaryGenerator().generate).parameters.toExtend<
      readonly [CompletedWork, { readonly decision: StageDecision }, readonly unknown[]]
    >();
    expectTypeOf(new SummaryGenerator().generate).returns.toHaveProperty('levels');
  });

  it('dimension() fits a pipeline of any output', () => {
    expectTypeOf(
      reviewOutput({
        task: 'pr',
        output: textOutput('x'),
        provider,
        reviewers: [dimension({ id: 'safety', checklist: ['Is it safe?'] })],
      }),
    ).resolves.toHaveProperty('decision');
    definePipeline({
      provider,
      produce: async (task: { topic: string }) => ({ text: task.topic }),
      reviewers: [dimension({ id: 'v', question: 'ok?' })],
    });
    expectTypeOf(
      dimension<string, AgentOutput>({
        id: 'x',
        question: 'ok?',
        scope: ({ output }) => output.artifacts,
      }),
    ).toEqualTypeOf<Reviewer<string, AgentOutput>>();
    // @ts-expect-error neither question nor checklist
    dimension({ id: 'x' });
    // @ts-expect-error both
    dimension({ id: 'x', question: 'a?', checklist: ['b?'] });
  });
});
