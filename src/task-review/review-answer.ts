import * as z from 'zod';
import { builtOnUse } from '../core/built-on-use.js';
import type { Gap } from '../core/gap.js';
import { GapSeveritySchema } from '../core/severity.js';

/** One issue as a reviewer names it. */
export const ReviewIssueSchema = builtOnUse(() =>
  z.object({
    severity: GapSeveritySchema,
    text: z.string().min(1),
    file: z.string().optional(),
    line: z.int().min(1).optional(),
    /** Whether the reviewer says that it has fixed it. */
    fixed: z.boolean().optional(),
  }),
);
/** One issue as a reviewer names it. */
export type ReviewIssue = z.infer<typeof ReviewIssueSchema>;

/** A review as a model answers it where it can answer in JSON. */
export const ReviewAnswerSchema = builtOnUse(() =>
  z.object({
    verdict: z.enum(['passed', 'fixed', 'failed']),
    reason: z.string(),
    issues: z.array(ReviewIssueSchema),
  }),
);
/** A review as a model answers it where it can answer in JSON. */
export type ReviewAnswer = z.infer<typeof ReviewAnswerSchema>;

/** What contradicts itself in an answer, so that the model may try again. */
export function contradictionIn({ verdict, issues }: ReviewAnswer): string | undefined {
  const serious = issues.filter(({ severity, fixed }) => severity !== 'minor' && fixed !== true);
  if (verdict === 'passed' && serious.length > 0)
    return `\`passed\` contradicts ${serious.length} critical or major issues that are not fixed`;
  return undefined;
}

const issueLine =
  /^[ \t]*(?:[-*][ \t]+)?(?:\*\*)?(CRITICAL|BLOCKER|MAJOR|MINOR)(?:\*\*)?[ \t]*:[ \t]*(\S[^\n]*)$/gim;
const place = /[ \t]*\(([^()\s:]+(?::[^()\s:]+)*?)(?::(\d{1,7}))?\)[ \t]*$/;

/** The issues of a review in text, a line each; `null` where it has none of that form, for then their number is not known. */
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

/** An issue as a gap; the engine gives it its id. */
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

/** `MAJOR: text (file:line)`, as the gate shows an issue. */
export function issueText({ severity, text, file, line }: ReviewIssue): string {
  const at = file === undefined ? '' : ` (${file}${line === undefined ? '' : `:${line}`})`;
  return `${severity.toUpperCase()}: ${text}${at}`;
}
