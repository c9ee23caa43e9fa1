import * as z from 'zod';
import { builtOnUse } from '../../core/built-on-use.js';
import { type Gap, GapSeveritySchema } from '../../core/gap.js';
import type { ReviewVerdictSchema } from '../../ports/attempt-store.js';

const ReviewIssueSchema = builtOnUse(() =>
  z.object({
    severity: GapSeveritySchema,
    text: z.string().min(1),
    file: z.string().optional(),
    line: z.int().min(1).optional(),
    /** Whether the reviewer reports that it fixed the issue. */
    fixed: z.boolean().optional(),
  }),
);

export interface ReviewIssue extends z.infer<typeof ReviewIssueSchema> {}

export const ReviewAnswerSchema = builtOnUse(() =>
  z.object({
    verdict: z.enum(['passed', 'fixed', 'failed']),
    reason: z.string(),
    issues: z.array(ReviewIssueSchema),
  }),
);

export interface ReviewAnswer extends z.infer<typeof ReviewAnswerSchema> {}

/** The model may correct it. */
export function contradictionIn({ verdict, issues }: ReviewAnswer): string | undefined {
  const serious = issues.filter(({ severity, fixed }) => severity !== 'minor' && fixed !== true);
  if (verdict === 'passed' && serious.length > 0)
    return `\`passed\` contradicts ${serious.length} critical or major issues that are not fixed`;
  return undefined;
}

const issueLine =
  /^[ \t]*(?:[-*][ \t]+)?(?:\*\*)?(CRITICAL|BLOCKER|MAJOR|MINOR)(?:\*\*)?[ \t]*:[ \t]*(\S[^\n]*)$/gim;

const place = /(?<![ \t])[ \t]*\(([^()\s:]+(?::[^()\s:]+)*?)(?::(\d{1,7}))?\)[ \t]*$/;

/** One on each line. `null` without any, because their number is unknown. */
export function issuesIn(text: string): ReviewIssue[] | null {
  const found = [...text.matchAll(issueLine)]
    .slice(0, 200)
    .map(([, word = '', rest = '']): ReviewIssue => {
      const at = place.exec(rest);
      const line = Number(at?.[2]);
      return {
        severity: severityOf(word),
        text: (at === null ? rest : rest.slice(0, at.index)).trim() || rest.trim(),
        ...(at?.[1] !== undefined && { file: at[1] }),
        ...(line >= 1 && { line }),
      };
    });
  return found.length === 0 ? null : found;
}

function severityOf(word: string): ReviewIssue['severity'] {
  const lower = word.toLowerCase();
  return lower === 'blocker' || lower === 'critical'
    ? 'critical'
    : lower === 'major'
      ? 'major'
      : 'minor';
}

export function gapOf({ severity, text, file, line }: ReviewIssue): Gap {
  return {
    id: '',
    severity,
    category: 'quality',
    description: text,
    suggestedFix: text,
    estimatedEffort: 'medium',
    autoFixable: true,
    criterionId: 'review',
    ...(file !== undefined && { location: { file, ...(line !== undefined && { line }) } }),
  };
}

/** Such as `MAJOR: text (file:line)`. */
export function issueText({ severity, text, file, line }: ReviewIssue): string {
  const at = file === undefined ? '' : ` (${file}${line === undefined ? '' : `:${line}`})`;
  return `${severity.toUpperCase()}: ${text}${at}`;
}

/** The verdicts of a task review. */
export const ReviewVerdict = {
  PASSED: 'passed',
  FIXED: 'fixed',
  FAILED: 'failed',
  SKIPPED: 'skipped',
  REJECTED: 'rejected',
  /** Nobody reviewed: a timeout, no answer, or an answer without a verdict. */
  NOT_RUN: 'not_run',
  /** The review failed: a failed call, or contradicting verdicts. */
  ERROR: 'error',
} as const;

/** The verdict of a task review. */
export type ReviewVerdict = z.infer<typeof ReviewVerdictSchema>;

export type ReviewedVerdict = Exclude<ReviewVerdict, 'skipped' | 'rejected'>;

const order: readonly ReviewVerdict[] = [
  'rejected',
  'failed',
  'fixed',
  'error',
  'not_run',
  'skipped',
];

/**
 * The first of rejected, failed, fixed, error, not_run and skipped that one of them has; `passed`
 * only if all passed.
 */
export function aggregateVerdicts<Verdict extends ReviewVerdict>(
  verdicts: readonly Verdict[],
): Verdict | 'not_run' | 'passed' {
  if (verdicts.length === 0) return 'not_run';
  return (
    order.find((candidate): candidate is Verdict =>
      verdicts.some((verdict) => verdict === candidate),
    ) ?? 'passed'
  );
}
