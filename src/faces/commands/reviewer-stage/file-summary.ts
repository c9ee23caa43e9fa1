import { redactJson } from '../../../core/redact/redact-json.js';
import { levelOfScore } from '../../../products/reviewer-stage/quality-level.js';
import type { StageSummary } from '../../../products/reviewer-stage/summary-generator.js';
import type { RunReport } from '../../reports/run-report.js';
import { taskTitle } from '../../reports/run-words.js';

/** Each criterion becomes a dimension. */
export function summaryOfReport(report: RunReport): StageSummary {
  const best = report.reviews.find((review) => review.best) ?? report.reviews.at(-1);
  const dimensions = (best?.assessments ?? []).map(({ criterion, id, verdict, score, text }) => {
    const requirement = report.coverage.find((entry) => id !== undefined && entry.id === id);
    const name = requirement?.requirement ?? report.criteria.names[criterion] ?? criterion;
    const judged = verdict === 'pass' || verdict === 'fail';
    const issues = report.gaps
      .filter(({ criterionId }) => criterionId === criterion)
      .map(({ description }) => description);
    return {
      id: criterion,
      name,
      shortName: name,
      level: judged ? levelOfScore(score ?? 0) : null,
      ...(verdict !== 'pass' && verdict !== 'fail' && { verdict }),
      passed: verdict === 'pass',
      explanation: text,
      issues,
    };
  });
  return redactJson({
    schemaVersion: 1,
    runId: report.runId,
    sessionId: report.runId.slice(0, 13),
    goal: taskTitle(report),
    changes: report.changed.map((path) => ({ path, kind: 'modified' })),
    notes: dimensions.flatMap(({ name, issues }) => issues.map((issue) => `${name}: ${issue}`)),
    decision: decisionOf(report, dimensions),
    outcome: outcomeOf(report),
    reasoning: report.reason,
    levels: Object.fromEntries(dimensions.map(({ id, level }) => [id, level])),
    dimensions,
    cycleTriggers: report.reviews
      .slice(0, -1)
      .map(({ assessments }) =>
        assessments.filter(({ verdict }) => verdict === 'fail').map(({ criterion }) => criterion),
      ),
    usage: {},
    cycles: Math.max(0, report.reviews.length - 1),
    completedAt: new Date(Date.parse(report.at) + report.durationMs).toISOString(),
    durationMs: report.durationMs,
    decidedBy: report.acceptance?.by ?? 'the reviewers',
    ...(report.acceptance?.kind === 'override' && { overrideReason: report.acceptance.reason }),
  } satisfies StageSummary);
}

/** Only a judge that answered, or a person, rejects. */
function decisionOf(
  { approved, status }: RunReport,
  dimensions: StageSummary['dimensions'],
): StageSummary['decision'] {
  if (approved) return 'APPROVED';
  const rejected = dimensions.some(({ level, passed }) => level !== null && !passed);
  return rejected || status === 'rejected' ? 'REJECTED' : 'INCONCLUSIVE';
}

/** `timed_out` if time alone kept reviewers from a verdict. */
export function endWord(
  { status }: Pick<RunReport, 'status'>,
  { outcome }: Pick<StageSummary, 'outcome'>,
): RunReport['status'] {
  return outcome === 'timed_out' ? outcome : status;
}

const outcomes: Partial<Record<RunReport['status'], StageSummary['outcome']>> = {
  approved: 'completed',
  accepted: 'completed',
  rejected: 'declined',
  exhausted: 'rejected',
  timed_out: 'timed_out',
  suspended: 'suspended',
  cancelled: 'cancelled',
  failed: 'failed',
};

function outcomeOf({ status, acceptance }: RunReport): StageSummary['outcome'] {
  if (status === 'accepted' && acceptance?.kind === 'override') return 'overridden';
  return outcomes[status] ?? 'escalated';
}
