import type { Gap } from '../core/gap.js';
import { bySeverity } from '../core/severity.js';

/** What the planner is told of rejected work. */
export interface StageFeedback {
  /** Counted from 1: the cycle that this feedback begins. */
  readonly cycle: number;
  readonly reason: string;
  /** What is wrong, the worst first, each with where it is and what to do. */
  readonly issues: readonly {
    readonly dimension: string;
    readonly message: string;
    readonly where: string;
    readonly suggestion: string;
    readonly severity: Gap['severity'];
  }[];
  /** The same as one text. */
  readonly text: string;
}

/** The feedback that gaps make: specific by place and quote, actionable by suggestion. */
export function stageFeedbackOf(
  gaps: readonly Gap[],
  {
    reason,
    cycle,
    note,
  }: { readonly reason: string; readonly cycle: number; readonly note?: string | undefined },
): StageFeedback {
  const issues = [...gaps]
    .sort(bySeverity)
    .map(
      ({
        criterionId,
        raisedBy,
        description,
        suggestedFix,
        severity,
        location,
        affectedArtifact,
      }) => ({
        dimension: criterionId ?? raisedBy ?? '',
        message: description,
        where:
          location === undefined
            ? (affectedArtifact ?? '')
            : `${location.file}${location.line === undefined ? '' : `:${location.line}`}`,
        suggestion: suggestedFix,
        severity,
      }),
    );
  const lines = issues.map(
    ({ dimension, message, where, suggestion }) =>
      `- ${dimension}${where === '' ? '' : ` (${where})`}: ${message}${suggestion === message ? '' : ` -> ${suggestion}`}`,
  );
  return {
    cycle,
    reason,
    issues,
    text: [reason, ...lines, ...(note === undefined ? [] : [`A person said: ${note}`])].join('\n'),
  };
}
