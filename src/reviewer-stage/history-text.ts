import type { IssueCount, StageMetrics } from './stage-metrics.js';
import { durationText, levelName, type TextCleaner } from './stage-text.js';
import type { StageSummary } from './summary-generator.js';

const units = [
  ['d', 'day', 86_400_000],
  ['h', 'hour', 3_600_000],
  ['m', 'minute', 60_000],
] as const;

/** Returns an age for people, such as `5m ago`, or `5 minutes ago` with `long`. */
export function ageText(ms: number, { long = false }: { readonly long?: boolean } = {}): string {
  const [short, word, unit] = units.find(([, , size]) => ms >= size) ?? [];
  if (unit === undefined) return 'just now';
  const count = Math.floor(ms / unit);
  return long ? `${count} ${word}${count === 1 ? '' : 's'} ago` : `${count}${short} ago`;
}

/**
 * Returns the screen of an earlier review: decision, age and levels. If it was not approved, the
 * screen also shows the reason.
 */
export function reviewShowLines(
  summary: StageSummary,
  { now, status }: { readonly now: number; readonly status: string },
  clean: TextCleaner,
): string[] {
  const line = (text: string): string => clean(text.replace(/\s+/g, ' ')).trim();
  const {
    sessionId,
    runId,
    decision,
    outcome,
    reasoning,
    completedAt,
    dimensions,
    cycles,
    decidedBy,
    overrideReason,
  } = summary;
  const levels = dimensions.flatMap(({ shortName, level, passed, issues }) => [
    `    ${line(shortName)}: ${levelName(level)}`,
    ...(passed ? [] : issues.map((issue) => `      - ${line(issue)}`)),
  ]);
  return [
    `Review for session ${line(sessionId)}:`,
    `  Decision: ${decision}`,
    `  Time: ${ageText(now - Date.parse(completedAt), { long: true })}`,
    ...(outcome === 'completed' ? [] : [`  Status: ${status}`, `  Reason: ${line(reasoning)}`]),
    ...(overrideReason === undefined
      ? []
      : [`  Override: ${line(overrideReason)} (${line(decidedBy)})`]),
    ...(cycles > 0 ? [`  Cycles: ${cycles}`] : []),
    `  Run: ${line(runId)}`,
    '',
    '  Dimensions:',
    ...levels,
  ];
}

/** Returns the screen of metrics. */
export function metricsLines(metrics: StageMetrics, clean: TextCleaner): string[] {
  const {
    reviews,
    approved,
    rejected,
    inconclusive,
    approvalRate,
    outcomes,
    commonIssues,
    cycleTriggers,
    cycles,
    judgeFailures,
    undecided,
    skipped,
    overrides,
    usage,
    totalDurationMs,
  } = metrics;
  const listed = (counts: readonly IssueCount[]): string =>
    counts.length === 0
      ? 'none'
      : counts.map(({ what, count }) => `${clean(what)} ${count}`).join(', ');
  const tokens = (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0);
  return [
    `Reviews: ${reviews}`,
    `  Approval rate: ${approvalRate === undefined ? 'unknown' : `${Math.round(approvalRate * 100)} %`} (${approved} approved, ${rejected} rejected, ${inconclusive} inconclusive)`,
    `  Outcomes: ${listed(outcomes)}`,
    `  Common issues: ${listed(commonIssues)}`,
    `  Cycles: ${cycles}, triggered by: ${listed(cycleTriggers)}`,
    `  Undecided: ${listed(undecided)}`,
    `  Not applicable: ${skipped}`,
    `  Judge failures: ${listed(judgeFailures)}`,
    `  Overrides: ${overrides}`,
    `  Cost: ${usage.costUsd === undefined ? 'unknown' : `$${usage.costUsd.toFixed(4)}`}, ${tokens === 0 ? 'tokens unknown' : `${tokens} tokens`}`,
    `  Time: ${durationText(totalDurationMs)}`,
  ];
}
