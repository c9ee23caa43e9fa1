import { modelErrors } from '../../blocks/models/errors.js';
import type { Assessment, JudgedAssessment } from '../../core/assessment.js';
import { checkedErrors } from '../../core/checked-errors.js';
import { defaultEffort } from '../../core/criterion.js';
import { isBlank } from '../../core/empty-output.js';
import { isReviewError, messageOf, ReviewLoopError } from '../../core/errors.js';
import type { Gap } from '../../core/gap.js';
import type { LLMProvider } from '../../core/llm-provider.js';
import { checkKeys } from '../../core/options.js';
import { hiddenReason, passOfWhole, unseenReason } from '../../core/partial-view.js';
import type { Reviewer, ReviewerContext } from '../../core/reviewer.js';
import type { ChangedFile, CompletedWork } from './completed-work.js';
import {
  type Dimension,
  type DimensionIssue,
  DimensionResultSchema,
  type ReviewDepth,
} from './dimension.js';
import { levelRank, type QualityLevel, scoreOfLevel } from './quality-level.js';

export interface DimensionBar {
  readonly threshold: QualityLevel;
  /** Chooses the review depth. @default 'thorough' for all work */
  readonly depth?:
    | {
        readonly of: (work: CompletedWork) => Promise<ReviewDepth>;
        /** A part of the key of cached verdicts. It changes with the rule behind `of`. */
        readonly version: string;
      }
    | undefined;
  /** The model for a dimension without its own. @default the pipeline's provider */
  readonly provider?: LLMProvider | undefined;
}

/**
 * Creates a reviewer from a dimension. It passes if the level reaches the threshold, and its score
 * is the score of the level. A dimension that throws or returns an invalid result is `errored`,
 * which blocks approval.
 */
export function fromDimension(
  dimension: Dimension,
  bar: DimensionBar,
): Reviewer<unknown, CompletedWork> {
  checkKeys('fromDimension', bar, ['threshold', 'depth', 'provider']);
  const { id, version = id, needsProvider = false } = dimension;
  const { threshold, provider } = bar;
  const model = needsProvider && provider !== undefined ? [provider.id, provider.model ?? ''] : [];
  return {
    id,
    version: [
      version,
      threshold,
      ...(bar.depth === undefined ? [] : [bar.depth.version]),
      ...model,
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
      const nothing = nothingToReview(output);
      if (nothing !== undefined) return [{ verdict: 'skipped', criterion: id, reason: nothing }];
      try {
        const result = await recordedResult(dimension, output, bar, context);
        return [passOfWhole(assessmentOf(dimension, threshold, result), partOf(output))];
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

async function recordedResult(
  dimension: Dimension,
  work: CompletedWork,
  bar: DimensionBar,
  context: ReviewerContext,
): Promise<ParsedResult> {
  checkVisible(work);
  const depth: ReviewDepth = (await bar.depth?.of(work)) ?? 'thorough';
  const given = { depth, provider: bar.provider };
  if (dimension.records !== true)
    return context.check(
      DimensionResultSchema,
      ({ signal }) => dimension.assess(work, { signal, ...given }) as Promise<ParsedResult>,
    );
  const result = DimensionResultSchema.safeParse(
    await dimension.assess(work, { signal: context.signal, ...given, review: context }),
  );
  if (result.success) return result.data;
  throw new ReviewLoopError(
    checkedErrors.reviewer_invalid,
    `${dimension.id}.assess returned no valid { level, explanation, issues }: ${result.error.message}`,
    { cause: result.error, retryable: true },
  );
}

function checkVisible({ changedFiles }: CompletedWork): void {
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
    `${named.join(', ')}${hidden.length > 5 ? `, and ${hidden.length - 5} more` : ''}: judges cannot see all changes`,
    {
      value: hidden.map(({ path }) => path),
    },
  );
}

/** Returns why a pass does not count, if a file was cut or not seen at all. */
function partOf(work: CompletedWork): string | undefined {
  const { changedFiles } = work;
  const cut = changedFiles.filter(({ omitted }) => omitted === 'cut').map(({ path }) => path);
  if (cut.length > 0) return `only a part was shown of ${cut.join(', ')} (allowTruncated)`;
  const unseen = changedFiles.filter(
    ({ omitted, status, mayBeUnseen = false }) =>
      (omitted === 'binary' || omitted === 'submodule') && status !== 'deleted' && !mayBeUnseen,
  );
  return unseenReason(unseen.map(({ path }) => path)) ?? hiddenReason(hiddenLines(work));
}

/** Written as `PATH:LINE`. Judges did not see them, because they look like a secret. */
function hiddenLines({ changedFiles }: CompletedWork): string[] {
  return changedFiles.flatMap(({ path, mayBeUnseen = false, secrets = [] }) =>
    mayBeUnseen ? [] : secrets.map(({ line }) => `${path}:${line}`),
  );
}

type ParsedResult = ReturnType<typeof DimensionResultSchema.parse>;

function assessmentOf(
  { id, name }: Dimension,
  threshold: QualityLevel,
  { level, explanation, issues }: ParsedResult,
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

export function issuesOf({ gaps }: JudgedAssessment): DimensionIssue[] {
  return gaps.map(({ description, location, suggestedFix, severity, evidence }) => ({
    message: description,
    ...(location !== undefined && { location }),
    suggestion: suggestedFix,
    severity,
    ...(evidence !== undefined && { evidence }),
  }));
}

export function nothingToReview({ changedFiles }: CompletedWork): string | undefined {
  if (changedFiles.length === 0) return 'no file was changed';
  return changedFiles.some(isVisible) ? undefined : 'the changes have no visible content';
}

/** A file without content and diff is visible by its name, as the deleted and binary ones are. */
function isVisible({ status, diff, content, omitted }: ChangedFile): boolean {
  if (status === 'deleted' || status === 'renamed' || omitted !== undefined) return true;
  if (diff === undefined) return content === undefined || !isBlank(content);
  return diff
    .split('\n')
    .some(
      (line) =>
        /^(?:old|new) mode /.test(line) ||
        (/^[+-](?!\+\+ |-- )/.test(line) && !isBlank(line.slice(1))),
    );
}
