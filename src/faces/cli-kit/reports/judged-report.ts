import type { Gap } from '../../../core/gap.js';
import { namedGaps } from '../../../core/named-gaps.js';
import type { OutcomeStatus } from '../../../core/outcome.js';
import { redactJsonAsync } from '../../../core/redact/redact-with-secretlint.js';
import { sanitise } from '../../../node/terminal/sanitise.js';
import { unscoredReview } from '../../reports/recorded-report.js';
import { saveRun } from '../../reports/run-folder.js';
import type { AssessmentReport, RunReport } from '../../reports/run-report.js';
import { summaryMarkdown } from '../../reports/summary-markdown.js';
import { verdictCounts } from '../../reports/verdict-counts.js';
import type { StoreHandle } from '../store-handle.js';

/** The run has no versions. Returns it without secrets. */
export async function saveJudged(
  { files }: Pick<StoreHandle, 'files'>,
  judged: RunReport,
): Promise<RunReport> {
  const report = await redactJsonAsync(judged);
  await saveRun(files, { report, summary: summaryMarkdown(report, sanitise), output: undefined });
  return report;
}

/** What a product says about work that it judged without a run of its own. */
export interface JudgedWork
  extends Pick<
    RunReport,
    'runId' | 'pipeline' | 'code' | 'reason' | 'exitCode' | 'durationMs' | 'acceptance'
  > {
  readonly status: OutcomeStatus;
  /** Milliseconds since 1970. */
  readonly began: number;
  readonly source: string;
  readonly files: readonly string[];
  /** Each criterion once. */
  readonly assessments: readonly AssessmentReport[];
  /** The gaps; ids are given here. */
  readonly gaps: readonly Gap[];
  readonly names?: Readonly<Record<string, string>> | undefined;
}

/** It has no scores. */
export function judgedReport(work: JudgedWork): RunReport {
  const { began, source, files, assessments, gaps: raised, names, acceptance, ...facts } = work;
  const { status, reason, durationMs } = facts;
  const at = new Date(began).toISOString();
  const gaps = namedGaps(raised, { seen: new Set() });
  const failures = assessments.filter(({ verdict }) => verdict === 'errored');
  const counts = verdictCounts(assessments);
  const judged = counts.passed + counts.failed;
  const empty = unscoredReview(at);
  const criteria = { met: counts.passed, judged, total: assessments.length };
  return {
    schemaVersion: 1,
    ...facts,
    ...(acceptance !== undefined && { acceptance }),
    at,
    approved: status === 'approved',
    task: { source },
    criteria: { chosen: [], reason: '', names: { ...names } },
    files: files.map((path) => ({ path, type: 'file', bytes: 0 })),
    ...{ notReviewed: [], coverage: [], fixed: [], changed: [], written: [] },
    counts,
    gaps,
    failures,
    undecided: assessments.filter(({ verdict }) => verdict === 'undecided'),
    reviews: [
      {
        ...empty,
        durationMs,
        complete: failures.length === 0,
        scores: { ...empty.scores, judged, total: assessments.length, criteria },
        counts,
        decision: { kind: status === 'approved' ? 'approve' : 'stop', reason },
        gaps,
        assessments: [...assessments],
      },
    ],
  };
}
