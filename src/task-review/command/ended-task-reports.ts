import { judgedReport } from '../../cli-kit/reports/judged-report.js';
import { withAdvice } from '../../cli-kit/show/error-text.js';
import { hashText } from '../../core/hash.js';
import { systemClock } from '../../ports/clock.js';
import { redactJsonAsync } from '../../redact/redact-with-secretlint.js';
import { reportRun } from '../../reports/report-run.js';
import type { RunReport } from '../../reports/run-report.js';
import type { TaskResult } from '../task-result.js';

/** The end of a task, as far as reports need it. */
export interface ReportedTask {
  readonly id: string;
  readonly exitCode: number;
  readonly done: boolean;
  readonly result?: TaskResult | undefined;
  readonly lines: readonly string[];
}

/**
 * Returns tasks as the data that reports are made from. A task that could not start is a failed
 * run; one that was done before is left out.
 *
 * @param now - Milliseconds since 1970, for tasks without a time of their own.
 */
export function taskReports(ends: readonly ReportedTask[], now?: number): Promise<RunReport[]> {
  const told = ends.filter(({ done, result }) => result !== undefined || !done);
  return Promise.all(told.map((end) => taskReport(end, now)));
}

/** Returns a task as the data that reports are made from, without secrets. */
export function taskReport(end: ReportedTask, now = systemClock.now()): Promise<RunReport> {
  return redactJsonAsync(reportOf(end, now));
}

function reportOf({ id, exitCode, result, lines }: ReportedTask, now: number): RunReport {
  if (result === undefined) return notRun({ id, exitCode, lines }, now);
  const { run, attempts, error } = result;
  const files = run.output?.change.files ?? [];
  const reviewed = attempts.reduce((sum, attempt) => sum + (attempt.reviewDurationMs ?? 0), 0);
  return {
    ...reportRun(withAdvice(run), {
      at: attempts[0]?.at ?? new Date(now).toISOString(),
      durationMs: reviewed,
      task: { source: id },
      criteria: { chosen: [], reason: 'the review of a task', names: {} },
      files: files.map(({ path }) => ({ path, type: 'code', bytes: 0 })),
      notReviewed: [],
      exitCode,
      changed: [],
      written: [],
      fixers: new Set(),
    }),
    pipeline: `task ${id}`,
    ...(!result.success && error !== null && { reason: error }),
  };
}

function notRun(
  { id, exitCode, lines }: Omit<ReportedTask, 'done' | 'result'>,
  now: number,
): RunReport {
  const reason = lines.join(' ').replace(/\s+/g, ' ').trim();
  return judgedReport({
    runId: `task-${hashText(id).slice(0, 16)}`,
    pipeline: `task ${id}`,
    status: exitCode === 130 ? 'cancelled' : exitCode === 51 ? 'rejected' : 'failed',
    code: 'not_run',
    reason,
    exitCode,
    began: now,
    durationMs: 0,
    source: id,
    files: [],
    assessments: [],
    gaps: [],
  });
}
