import { requirementPrefix } from '../../core/scores.js';
import { addUsage, type Usage } from '../../core/usage.js';
import { durationText, levelName, type TextCleaner } from './stage-text.js';
import type { StageSummary } from './summary-generator.js';

interface IssueCount {
  readonly what: string;
  readonly count: number;
}

/** Metrics over many reviews; each list is sorted by count, highest first. */
export interface StageMetrics {
  readonly reviews: number;
  readonly approved: number;
  readonly rejected: number;
  /** The reviews without a decision: nobody rejected the work, and something stayed open. */
  readonly inconclusive: number;
  /**
   * The share of decided reviews that the reviewers approved, from 0 to 1. `undefined` without
   * decided reviews.
   */
  readonly approvalRate: number | undefined;
  readonly outcomes: readonly IssueCount[];
  /** The dimensions that failed. */
  readonly commonIssues: readonly IssueCount[];
  /** The dimensions that sent work back to the planner. */
  readonly cycleTriggers: readonly IssueCount[];
  readonly cycles: number;
  /** The dimensions that nobody decided. */
  readonly undecided: readonly IssueCount[];
  /** How often a check found nothing to judge. */
  readonly skipped: number;
  /** The dimensions whose judge failed. */
  readonly judgeFailures: readonly IssueCount[];
  readonly overrides: number;
  readonly usage: Usage;
  /** The duration of all reviews together, in milliseconds. */
  readonly totalDurationMs: number;
}

/**
 * Returns the metrics of summaries. Pass one summary for each run: the newest one, if a person
 * answered later.
 */
export function stageMetrics(summaries: readonly StageSummary[]): StageMetrics {
  const decided = summaries.filter(({ decision }) => decision !== 'INCONCLUSIVE');
  const approved = decided.filter(({ decision }) => decision === 'APPROVED').length;
  const all = summaries.flatMap(({ dimensions }) => dimensions.filter(({ passed }) => !passed));
  const named = (verdict: ReturnType<typeof verdictOf>): IssueCount[] =>
    counts(all.filter((dimension) => verdictOf(dimension) === verdict).map(nameOf));
  return {
    reviews: summaries.length,
    approved,
    rejected: decided.length - approved,
    inconclusive: summaries.length - decided.length,
    approvalRate: decided.length === 0 ? undefined : approved / decided.length,
    outcomes: counts(summaries.map(({ outcome }) => outcome)),
    commonIssues: named('judged'),
    cycleTriggers: counts(summaries.flatMap(({ cycleTriggers }) => cycleTriggers.flat())),
    cycles: summaries.reduce((sum, { cycles }) => sum + cycles, 0),
    undecided: named('undecided'),
    skipped: all.filter((dimension) => verdictOf(dimension) === 'skipped').length,
    judgeFailures: named('errored'),
    overrides: summaries.filter(({ outcome }) => outcome === 'overridden').length,
    usage: summaries.map(({ usage }) => usage).reduce(addUsage, {}),
    totalDurationMs: summaries.reduce((sum, { durationMs }) => sum + durationMs, 0),
  };
}

type SummaryDimension = StageSummary['dimensions'][number];

/** Older summaries do not say why a level is missing. */
function verdictOf({
  level,
  verdict = 'errored',
}: SummaryDimension): 'judged' | NonNullable<SummaryDimension['verdict']> {
  return level === null ? verdict : 'judged';
}

function nameOf({ id, name }: SummaryDimension): string {
  return id.startsWith(requirementPrefix) ? name : id;
}

function counts(names: readonly string[]): IssueCount[] {
  const seen = new Map<string, number>();
  for (const name of names) seen.set(name, (seen.get(name) ?? 0) + 1);
  return [...seen]
    .map(([what, count]) => ({ what, count }))
    .sort((a, b) => b.count - a.count || (a.what < b.what ? -1 : 1));
}

const units = [
  ['d', 'day', 86_400_000],
  ['h', 'hour', 3_600_000],
  ['m', 'minute', 60_000],
] as const;

/** `5m ago`, or `5 minutes ago` with `long`. */
export function ageText(ms: number, { long = false }: { readonly long?: boolean } = {}): string {
  const [short, word, unit] = units.find(([, , size]) => ms >= size) ?? [];
  if (unit === undefined) return 'just now';
  const count = Math.floor(ms / unit);
  return long ? `${count} ${word}${count === 1 ? '' : 's'} ago` : `${count}${short} ago`;
}

/** Decision, age and levels; if it was not approved, also the reason. */
export function reviewShowLines(
  summary: StageSummary,
  { now, status }: { readonly now: number; readonly status: string },
  clean: TextCleaner,
): string[] {
  const line = (text: string): string => clean(text.replace(/\s+/g, ' ')).trim();
  const { dimensions, outcome, overrideReason } = summary;
  const levels = dimensions.flatMap(({ shortName, level, passed, issues }) => [
    `    ${line(shortName)}: ${levelName(level)}`,
    ...(passed ? [] : issues.map((issue) => `      - ${line(issue)}`)),
  ]);
  return [
    `Review for session ${line(summary.sessionId)}:`,
    `  Decision: ${summary.decision}`,
    `  Time: ${ageText(now - Date.parse(summary.completedAt), { long: true })}`,
    ...(outcome === 'completed'
      ? []
      : [`  Status: ${status}`, `  Reason: ${line(summary.reasoning)}`]),
    ...(overrideReason === undefined
      ? []
      : [`  Override: ${line(overrideReason)} (${line(summary.decidedBy)})`]),
    ...(summary.cycles > 0 ? [`  Cycles: ${summary.cycles}`] : []),
    `  Run: ${line(summary.runId)}`,
    '',
    '  Dimensions:',
    ...levels,
  ];
}

export function metricsLines(metrics: StageMetrics, clean: TextCleaner): string[] {
  const { approvalRate, usage } = metrics;
  const listed = (counts: readonly IssueCount[]): string =>
    counts.length === 0
      ? 'none'
      : counts.map(({ what, count }) => `${clean(what)} ${count}`).join(', ');
  const tokens = (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0);
  return [
    `Reviews: ${metrics.reviews}`,
    `  Approval rate: ${approvalRate === undefined ? 'unknown' : `${Math.round(approvalRate * 100)} %`} (${metrics.approved} approved, ${metrics.rejected} rejected, ${metrics.inconclusive} inconclusive)`,
    `  Outcomes: ${listed(metrics.outcomes)}`,
    `  Common issues: ${listed(metrics.commonIssues)}`,
    `  Cycles: ${metrics.cycles}, triggered by: ${listed(metrics.cycleTriggers)}`,
    `  Undecided: ${listed(metrics.undecided)}`,
    `  Not applicable: ${metrics.skipped}`,
    `  Judge failures: ${listed(metrics.judgeFailures)}`,
    `  Overrides: ${metrics.overrides}`,
    `  Cost: ${usage.costUsd === undefined ? 'unknown' : `$${usage.costUsd.toFixed(4)}`}, ${tokens === 0 ? 'tokens unknown' : `${tokens} tokens`}`,
    `  Time: ${durationText(metrics.totalDurationMs)}`,
  ];
}
