import { outcomeExitCode } from '../../cli-kit/outcome-exit-code.js';
import { oneLine } from '../../terminal/sanitise.js';
import { taskStatusLine } from '../task.js';
import type { TaskResult } from '../task-result.js';

const ranks = [0, 53, 50, 51, 52, 1, 130];

/** Returns the worst of several exit codes. */
export function worstOf(codes: readonly number[]): number {
  return codes.reduce(
    (worst, code) => (ranks.indexOf(code) > ranks.indexOf(worst) ? code : worst),
    0,
  );
}

/** Returns the exit code of a task that ended or waits. */
export function taskExitCode({ success, code, run }: TaskResult): number {
  if (success) return 0;
  if (code === 'COMMIT_FAILED') return 1;
  return outcomeExitCode(run, undefined);
}

/**
 * Returns a task that ended or waits as JSON data. From its run, it contains only id and status.
 */
export function taskJson({ run: { runId, status, code, reason }, ...result }: TaskResult): object {
  return { ...result, run: { runId, status, code, reason } };
}

/** Returns the lines about a task: its status, the reason for a failure, and the next command. */
export function taskLines(id: string, result: TaskResult, store: string): string[] {
  const { status, error, code, run, reviewFindings } = result;
  const line = taskStatusLine({ id }, result.attempts.at(-1));
  if (status === 'waiting')
    return [
      line,
      `  ${run.status}: waiting for an answer`,
      `  next: reviewloop answer ${run.runId} approve|reject|revise|skip${store}`,
    ];
  if (status === 'success') return [line];
  const findings =
    reviewFindings === null
      ? []
      : reviewFindings
          .split('\n')
          .slice(0, 10)
          .map((text) => `  ${oneLine(text)}`);
  return [line, `  ${run.status}, ${code}: ${oneLine(error ?? '').slice(0, 500)}`, ...findings];
}
