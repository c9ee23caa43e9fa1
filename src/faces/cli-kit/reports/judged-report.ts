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
export interface JudgedWork {
  readonly runId: string;
  readonly pipeline: string;
  readonly status: OutcomeStatus;
  readonly code: string;
  readonly reason: string;
  readonly exitCode: number;
  /** Milliseconds since 1970. */
  readonly began: number;
  readonly durationMs: number;
  readonly source: string;
  readonly files: readonly string[];
  /** Each criterion once. */
  readonly assessments: readonly AssessmentReport[];
  /** The gaps; ids are given here. */
  readonly gaps: readonly Gap[];
  readonly names?: Readonly<Record<string, string>> | undefined;
  readonly acceptance?: RunReport['acceptance'];
}

/** It has no scores. */
export function judgedReport(work: JudgedWork): RunReport {
  const { runId, pipeline, status, code, reason, exitCode, durationMs, assessments } = work;
  const at = new Date(work.began).toISOString();
  const gaps = namedGaps(work.gaps, { seen: new Set() });
  const failures = assessments.filter(({ verdict }) => verdict === 'errored');
  const counts = { ...verdictCounts(assessments) };
  const judged = counts.passed + counts.failed;
  const empty = unscoredReview(at);
  const criteria = { met: counts.passed, judged, total: assessments.length };
  return {
    schemaVersion: 1,
    runId,
    pipeline,
    at,
    durationMs,
    status,
    approved: status === 'approved',
    code,
    reason,
    exitCode,
    task: { source: work.source },
    criteria: { chosen: [], reason: '', names: { ...work.names } },
    files: work.files.map((path) => ({ path, type: 'file', bytes: 0 })),
    notReviewed: [],
    counts,
    gaps,
    coverage: [],
    failures,
    undecided: assessments.filter(({ verdict }) => verdict === 'undecided'),
    fixed: [],
    changed: [],
    written: [],
    ...(work.acceptance !== undefined && { acceptance: work.acceptance }),
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
