import { bySeverity, type Gap } from '../../core/gap.js';

/** Feedback to the planner about rejected work. */
export interface StageFeedback {
  /** The cycle that this feedback starts, counted from 1. */
  readonly cycle: number;
  /** The reason for the rejection. */
  readonly reason: string;
  /** The issues, worst first. `where` is `file:line`, a file name or an empty text. */
  readonly issues: readonly {
    readonly dimension: string;
    readonly message: string;
    readonly where: string;
    readonly suggestion: string;
    readonly severity: Gap['severity'];
  }[];
  /** Reason and issues as one text, one line for each issue. */
  readonly text: string;
}

function eachOnce(issues: StageFeedback['issues']): StageFeedback['issues'] {
  const known = new Map<string, StageFeedback['issues'][number]>();
  for (const issue of issues) {
    const key = [issue.where, issue.message, issue.suggestion].join('\u0000');
    const same = known.get(key);
    if (same === undefined) known.set(key, issue);
    else if (!same.dimension.split(', ').includes(issue.dimension))
      known.set(key, { ...same, dimension: `${same.dimension}, ${issue.dimension}` });
  }
  return [...known.values()];
}

function issueOf(gap: Gap): StageFeedback['issues'][number] {
  const { location, severity } = gap;
  const line = location?.line === undefined ? '' : `:${location.line}`;
  return {
    dimension: gap.criterionId ?? gap.raisedBy ?? '',
    message: gap.description,
    where: location === undefined ? (gap.affectedArtifact ?? '') : `${location.file}${line}`,
    suggestion: gap.suggestedFix,
    severity,
  };
}

export function stageFeedbackOf(
  gaps: readonly Gap[],
  {
    reason,
    cycle,
    note,
  }: { readonly reason: string; readonly cycle: number; readonly note?: string | undefined },
): StageFeedback {
  const issues = eachOnce([...gaps].sort(bySeverity).map(issueOf));
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
