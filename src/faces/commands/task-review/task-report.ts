import { hashText } from '../../../core/hash.js';
import { redactJsonAsync } from '../../../core/redact/redact-with-secretlint.js';
import { oneLine } from '../../../node/terminal/sanitise.js';
import { systemClock } from '../../../ports/clock.js';
import { taskStatusLine } from '../../../products/task-review/task.js';
import type { TaskResult } from '../../../products/task-review/task-result.js';
import { outcomeExitCode } from '../../cli-kit/outcome-exit-code.js';
import { judgedReport } from '../../cli-kit/reports/judged-report.js';
import { withAdvice } from '../../cli-kit/show/error-text.js';
import { quoted } from '../../cli-kit/show/listing.js';
import { reportRun } from '../../reports/report-run.js';
import type { RunReport } from '../../reports/run-report.js';
import type { FinishedTask } from './begin-task.js';

const ranks = [0, 53, 50, 51, 52, 1, 130];

export function worstOf(codes: readonly number[]): number {
  return codes.reduce(
    (worst, code) => (ranks.indexOf(code) > ranks.indexOf(worst) ? code : worst),
    0,
  );
}

export function taskExitCode({ success, code, run }: TaskResult): number {
  if (success) return 0;
  if (code === 'COMMIT_FAILED') return 1;
  return outcomeExitCode(run, undefined);
}

/** From its run, it contains only id and status. */
export function taskJson({ run: { runId, status, code, reason }, ...result }: TaskResult): object {
  return { ...result, run: { runId, status, code, reason } };
}

export interface TaskWays extends FinishedTask {
  readonly store: string;
  readonly again: string;
}

export function taskLines(id: string, result: TaskResult, ways: TaskWays): string[] {
  const { status, error, code, run, reviewFindings } = result;
  const line = taskStatusLine({ id }, result.attempts.at(-1));
  if (status === 'success')
    return result.machineVerdict === 'failed' || result.machineVerdict === 'rejected'
      ? [
          line,
          '  done, but its review did not approve: reviews are advisory in this run, they stop no commit',
          ...findingLines(reviewFindings),
          `  next: reviewloop runs ${run.runId}${ways.store}`,
          `  or: ${ways.again} --anew # does the task again`,
          ...leftLines(ways, 'or'),
          '  never again: pass --review-policy required',
        ]
      : [line, ...(ways.message === undefined ? [] : leftLines(ways, 'next'))];
  if (status === 'waiting')
    return [
      line,
      `  ${run.status}: waiting for an answer`,
      `  next: ${answerCommand(result, 'approve', ways)}`,
      '  or: reject, revise or skip in place of approve',
    ];
  const shown = code === 'REVIEW_NOT_RUN' || code === 'REVIEW_ERROR' ? null : reviewFindings;
  return [
    line,
    `  ${run.status}, ${code}: ${inSettings(oneLine(error ?? '')).slice(0, 500)}`,
    ...findingLines(shown),
    ...waysOn(result, ways),
  ];
}

function leftLines({ commit, message }: TaskWays, first: 'next' | 'or'): string[] {
  if (commit !== undefined) return [`  ${first}: git revert --no-edit ${commit}`];
  if (message === undefined) return [];
  return [
    `  ${first}: git add -A && git commit -m ${quoted(message)}`,
    '  or: git stash -u # takes the changes away',
  ];
}

function findingLines(findings: string | null): string[] {
  return (findings ?? '')
    .split('\n')
    .slice(0, 10)
    .map((text) => `  ${oneLine(text)}`)
    .filter((text) => text.trim() !== '');
}

function waysOn(result: TaskResult, ways: TaskWays): string[] {
  const { again, aside, folder } = ways;
  const unseen = unseenPart(result);
  const place =
    aside !== undefined
      ? [`  its changes are set aside: git apply ${quoted(aside)}`]
      : folder !== undefined
        ? [`  its work is in ${folder}`]
        : [];
  switch (result.code) {
    case 'REVIEW_NOT_RUN':
    case 'REVIEW_ERROR':
      if (unseen !== undefined)
        return [
          ...place,
          `  next: ${again} --anew # after you ${wayToShow(unseen)}`,
          `  or: ${answerCommand(result, 'override', ways)}`,
        ];
      return [
        ...place,
        `  next: ${again} # asks the reviewers again`,
        `  or: ${again} --anew # does the task again`,
        `  or: ${answerCommand(result, 'override', ways)}`,
      ];
    case 'HISTORY_CHANGED':
      return [...place, `  next: ${again} --anew # after you looked at the history`];
    case 'CANCELLED':
    case 'COMMIT_FAILED':
      return [...place, `  next: ${again} # continues`];
    default:
      return [
        ...place,
        `  next: ${again} # does the task again`,
        ...(result.run.output === undefined
          ? []
          : [`  or: ${answerCommand(result, 'override', ways)}`]),
      ];
  }
}

/** Returns why reviewers could not see the whole change, if so. Asking them again changes nothing. */
function unseenPart({ run }: TaskResult): string | undefined {
  for (const assessment of run.reviews.at(-1)?.assessments ?? [])
    if (assessment.criterion === 'review' && assessment.verdict === 'undecided')
      return assessment.reason;
  return undefined;
}

function wayToShow(unseen: string): string {
  return unseen.includes('(diffBytes:')
    ? 'raised executor.diff_bytes'
    : 'made the file smaller, or named it in executor.allow_unseen';
}

function inSettings(text: string): string {
  return text
    .replace('(diffBytes:', '(executor.diff_bytes:')
    .replace('(allowUnseen ', '(executor.allow_unseen ');
}

function answerCommand(
  { run, machineVerdict }: TaskResult,
  kind: 'approve' | 'override',
  { store }: TaskWays,
): string {
  const reason =
    kind === 'approve' && (machineVerdict === 'passed' || machineVerdict === 'fixed')
      ? ''
      : ' --reason "..."';
  return `reviewloop answer ${run.runId} ${kind}${reason}${store}`;
}

export interface ReportedTask {
  readonly id: string;
  readonly exitCode: number;
  readonly done: boolean;
  readonly result?: TaskResult | undefined;
  readonly lines: readonly string[];
}

/**
 * A task that could not start is a failed run; one that was done before is left out.
 *
 * @param now - Milliseconds since 1970, for tasks without a time of their own.
 */
export function taskReports(ends: readonly ReportedTask[], now?: number): Promise<RunReport[]> {
  const told = ends.filter(({ done, result }) => result !== undefined || !done);
  return Promise.all(told.map((end) => taskReport(end, now)));
}

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
