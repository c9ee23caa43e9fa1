import type { Assessment, JudgedAssessment } from '../core/assessment.js';
import { defaultEffort } from '../core/criterion.js';
import { isReviewError, messageOf, ReviewLoopError } from '../core/errors.js';
import type { Gap } from '../core/gap.js';
import type { LLMProvider } from '../core/llm-provider.js';
import type { Reviewer, ReviewerContext } from '../core/reviewer.js';
import { modelErrors } from '../model/errors.js';
import type { CompletedWork } from './completed-work.js';
import {
  type Dimension,
  type DimensionIssue,
  DimensionResultSchema,
  type ReviewDepth,
} from './dimension.js';
import { levelRank, type QualityLevel, scoreOfLevel } from './quality-level.js';

/** How a dimension is held against its bar. */
export interface DimensionBar {
  /** The level that it needs. */
  readonly threshold: QualityLevel;
  /** How closely it looks at which work; the version is part of the verdict's key. @default thorough */
  readonly depth?:
    | {
        /** Chooses for one piece of work. */
        readonly of: (work: CompletedWork) => Promise<ReviewDepth>;
        /** Changes whenever the same work may get another depth. */
        readonly version: string;
      }
    | undefined;
  /** For a dimension that asks a model and names none. @default the pipeline's */
  readonly provider?: LLMProvider | undefined;
}

/**
 * The reviewer that a dimension is: it passes at the threshold, and its score stands for the level. What throws, or answers
 * anything but a level, is `errored`: a failed assessment blocks, and is never a level (D003-14).
 */
export function fromDimension(
  dimension: Dimension,
  bar: DimensionBar,
): Reviewer<unknown, CompletedWork> {
  const { id, version = id, needsProvider = false } = dimension;
  const { threshold, provider } = bar;
  const asked = needsProvider && provider !== undefined ? [provider.id, provider.model ?? ''] : [];
  return {
    id,
    version: [
      version,
      threshold,
      ...(bar.depth === undefined ? [] : [bar.depth.version]),
      ...asked,
    ].join(':'),
    tier: 'model',
    ...(needsProvider &&
      provider === undefined && {
        withProvider: (inherited: LLMProvider) =>
          fromDimension(dimension, { ...bar, provider: inherited }),
      }),
    ...(needsProvider && {
      asks: {
        provider,
        asking: (other: LLMProvider | undefined) =>
          fromDimension(dimension, { ...bar, provider: other }),
      },
    }),
    review: async ({ output }, context) => {
      try {
        return [assess(dimension, threshold, await resultOf(dimension, output, bar, context))];
      } catch (error) {
        const known = isReviewError(error)
          ? error
          : new ReviewLoopError('reviewer_threw', `${id} threw: ${messageOf(error)}`, {
              cause: error,
              retryable: true,
            });
        return [{ verdict: 'errored', criterion: id, error: known }];
      }
    },
  };
}

async function resultOf(
  dimension: Dimension,
  work: CompletedWork,
  bar: DimensionBar,
  context: ReviewerContext,
): Promise<Answer> {
  checkWhole(work);
  const depth: ReviewDepth = (await bar.depth?.of(work)) ?? 'thorough';
  const given = { depth, provider: bar.provider };
  if (dimension.records !== true)
    return context.check(
      DimensionResultSchema,
      ({ signal }) => dimension.assess(work, { signal, ...given }) as Promise<Answer>,
    );
  const answer = DimensionResultSchema.safeParse(
    await dimension.assess(work, { signal: context.signal, ...given, review: context }),
  );
  if (answer.success) return answer.data;
  throw new ReviewLoopError(
    'reviewer_invalid',
    `${dimension.id} answered something else than a level, an explanation and issues: ${answer.error.message}`,
    { cause: answer.error, retryable: true },
  );
}

/** What nobody sees is not judged. */
function checkWhole({ changedFiles }: CompletedWork): void {
  const hidden = changedFiles.filter(
    ({ omitted }) => omitted === 'too_large' || omitted === 'unmerged',
  );
  if (hidden.length === 0) return;
  const named = hidden
    .slice(0, 5)
    .map(
      ({ path, omitted }) => `${path} is ${omitted === 'unmerged' ? 'in conflict' : 'too large'}`,
    );
  throw new ReviewLoopError(
    modelErrors.view_truncated,
    `${named.join(', ')}${hidden.length > 5 ? `, and ${hidden.length - 5} more` : ''}: what is not seen is not judged`,
    {
      value: hidden.map(({ path }) => path),
    },
  );
}

type Answer = ReturnType<typeof DimensionResultSchema.parse>;

function assess(
  { id, name }: Dimension,
  threshold: QualityLevel,
  { level, explanation, issues }: Answer,
): Assessment {
  const passed = levelRank(level) >= levelRank(threshold);
  const gaps = issues.map((issue) =>
    gapOf(typeof issue === 'string' ? { message: issue } : issue, { criterion: id, name, passed }),
  );
  return {
    verdict: passed ? 'pass' : 'fail',
    criterion: id,
    score: scoreOfLevel(level),
    explanation,
    gaps,
    category: 'quality',
  };
}

function gapOf(
  { message, location, suggestion, severity, evidence }: DimensionIssue,
  {
    criterion,
    name,
    passed,
  }: { readonly criterion: string; readonly name: string; readonly passed: boolean },
): Gap {
  return {
    id: '',
    severity: severity ?? (passed ? 'minor' : 'major'),
    category: 'quality',
    description: message,
    suggestedFix: suggestion ?? `Improve ${name.toLowerCase()}: ${message}`,
    estimatedEffort: defaultEffort,
    autoFixable: true,
    criterionId: criterion,
    raisedBy: criterion,
    ...(location !== undefined && { location, affectedArtifact: location.file }),
    ...(evidence !== undefined && { evidence }),
  };
}

/** The issues that the gaps of an assessment stand for. */
export function issuesOf({ gaps }: JudgedAssessment): DimensionIssue[] {
  return gaps.map(({ description, location, suggestedFix, severity, evidence }) => ({
    message: description,
    ...(location !== undefined && { location }),
    suggestion: suggestedFix,
    severity,
    ...(evidence !== undefined && { evidence }),
  }));
}
