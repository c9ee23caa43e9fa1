import * as z from 'zod';
import { type Assessment, isJudged } from '../../core/assessment.js';
import { builtOnUse } from '../../core/built-on-use.js';
import type { Decision } from '../../core/decision.js';
import type { Severity } from '../../core/gap.js';
import { checkPlain, invalid } from '../../core/options.js';
import type { Evidence, Policy } from '../../core/policy.js';
import { reviseBest, unjudgeable } from '../../engine/policies/evidence.js';

/** Worst first; their ranks are 0 to 4. */
export const QualityLevelSchema = builtOnUse(() =>
  z.enum(['poor', 'needs_work', 'acceptable', 'good', 'excellent']),
);

/** A quality level in words, from `poor` to `excellent`. */
export type QualityLevel = z.infer<typeof QualityLevelSchema>;

export function levelRank(level: QualityLevel): number {
  return QualityLevelSchema.options.indexOf(level);
}

export function scoreOfLevel(level: QualityLevel): number {
  return levelRank(level) / 4;
}

/** Returns the level of a score from 0 to 1. Each fifth of the range is one level. */
export function levelOfScore(score: number): QualityLevel {
  return QualityLevelSchema.options[Math.min(4, Math.floor(score * 5))] ?? 'poor';
}

/** With so many or more, work is only `acceptable`. */
const manyMinorIssues = 3;

/** An issue without a severity counts as major. */
export function levelOfIssues(
  issues: readonly { readonly severity?: Severity | undefined }[],
): QualityLevel {
  const has = (severity: Severity): boolean =>
    issues.some((issue) => (issue.severity ?? 'major') === severity);
  if (has('critical')) return 'poor';
  if (has('major')) return 'needs_work';
  if (issues.length >= manyMinorIssues) return 'acceptable';
  return issues.length > 0 ? 'good' : 'excellent';
}

/**
 * Creates a policy that approves if every judged criterion reaches a level. Otherwise it revises
 * the best version.
 *
 * @param overrides - Levels that replace `level`, by criterion id.
 * @throws ReviewLoopError `invalid_options`
 */
export function levelAtLeast(
  level: QualityLevel,
  overrides: Readonly<Record<string, QualityLevel>> = {},
): Policy {
  checkPlain('overrides', overrides);
  for (const [name, value] of [
    ['level', level],
    ...Object.entries(overrides).map(([id, override]) => [`overrides.${id}`, override]),
  ]) {
    if (!QualityLevelSchema.options.includes(value as QualityLevel))
      throw invalid(String(name), `one of ${QualityLevelSchema.options.join(', ')}`, value);
  }
  const thresholdOf = (criterion: string): QualityLevel =>
    (Object.hasOwn(overrides, criterion) ? overrides[criterion] : undefined) ?? level;
  return (evidence) => {
    const stop = unjudgeable(evidence.review);
    if (stop !== undefined) return withOthers(stop, evidence.review);
    const low = evidence.review.assessments
      .filter(isJudged)
      .filter(({ criterion, score, verdict }) => {
        const threshold = levelRank(thresholdOf(criterion));
        return verdict === 'fail' || levelRank(levelOfScore(score)) < threshold;
      });
    if (low.length === 0)
      return { kind: 'approve', reason: `${judgedText(evidence.review)} ${level} or better` };
    const ids = new Set(low.map(({ criterion }) => criterion));
    const reason = low
      .map(({ criterion, score }) => `${criterion} is ${levelOfScore(score)}`)
      .join(', ');
    return reviseBest(
      evidence,
      (gap) => gap.criterionId !== undefined && ids.has(gap.criterionId),
      reason,
      ids,
    );
  };
}

function judgedText({ assessments }: Evidence['review']): string {
  const silent = assessments.filter((assessment) => !isJudged(assessment));
  if (silent.length === 0) return 'every criterion is';
  const names = assessments.filter(isJudged).map(({ criterion }) => criterion);
  return `${names.length} of ${assessments.length} criteria were judged (${names.join(', ')}), and are`;
}

function withOthers(stop: Decision, { assessments }: Evidence['review']): Decision {
  const others = assessments.filter(({ verdict }) => verdict !== 'errored').map(saidBy);
  return others.length === 0 || others.length === assessments.length
    ? stop
    : { ...stop, reason: `${stop.reason}; ${others.join(', ')}` };
}

const words = { pass: 'passed', fail: 'failed its check', undecided: 'is undecided' } as const;

function saidBy(assessment: Assessment): string {
  const { criterion, verdict } = assessment;
  if (verdict === 'skipped') return `${criterion} was skipped: ${assessment.reason}`;
  return verdict === 'errored' ? criterion : `${criterion} ${words[verdict]}`;
}
