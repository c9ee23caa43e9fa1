import { answerOf, type GivenAnswer } from '../../cli-kit/answer-question.js';
import { storeFlag } from '../../cli-kit/common-options.js';
import type { Io } from '../../cli-kit/io.js';
import { chooseProvider } from '../../cli-kit/provider/choose-provider.js';
import { ReviewLoopError } from '../../core/errors.js';
import { mutex } from '../../core/mutex.js';
import { sanitise, terminalSafeJson } from '../../terminal/sanitise.js';
import { fixRequest, type TaskResult } from '../task-result.js';
import type { TaskReview } from '../task-review.js';
import { buildTaskReview } from './build-task-review.js';
import { taskExitCode, taskLines, toldTask } from './finish-task.js';
import type { KeptTask } from './kept-tasks.js';
import { hasMoved, removeFolder } from './task-folder.js';

/** How a task that waits is answered. */
export interface AnswerTask extends Omit<GivenAnswer, 'question'> {
  readonly store: string;
  readonly format: 'text' | 'json';
}

/**
 * Answers a task that waits for a person, and goes on with it; or overrides how one ended.
 *
 * @returns The exit code.
 */
export async function answerTask(io: Io, kept: KeptTask, given: AnswerTask): Promise<number> {
  const { store } = given;
  const { runId, task } = kept;
  if (await hasMoved(kept))
    throw new ReviewLoopError(
      'request_stale',
      `the branch has other commits since the work on ${task.id} was begun, which it would take back; begin it anew with \`reviewloop tasks run --task ${task.id}\``,
      { value: runId },
    );
  const provider = await chooseProvider({ err: () => {} }, kept.settings.provider, true);
  const review = buildTaskReview(kept, { store, provider, inTurn: mutex() });
  const result = await answered(review, kept, given, io.signal);
  if (result.success) await removeFolder(kept.root, kept.folder);
  const exitCode = taskExitCode(result);
  if (given.format === 'json')
    await io.out(
      `${terminalSafeJson({ schemaVersion: 1, id: task.id, done: result.success, exitCode, ...toldTask(result) })}\n`,
    );
  else
    await io.out(
      `${taskLines(task.id, result, storeFlag(io.cwd, store)).map(sanitise).join('\n')}\n`,
    );
  return exitCode;
}

/** Goes through what is recorded to the question, and answers it. */
async function answered(
  review: TaskReview,
  { runId, task }: KeptTask,
  given: AnswerTask,
  signal: AbortSignal,
): Promise<TaskResult> {
  const before = await review.run(task, { runId, signal });
  const { run } = before;
  if (run.status === 'suspended') {
    const [question] = run.requests;
    return review.answer(
      task,
      { runId, id: question.id, digest: question.digest },
      answerOf(withNote(given, before)),
      { signal },
    );
  }
  if (given.kind !== 'override' || before.success)
    throw new ReviewLoopError(
      'request_unknown',
      `task ${task.id} asks nothing: it is ${before.status}`,
      { value: runId },
    );
  return review.override(
    task,
    { runId, digest: run.version ?? '' },
    { by: given.by, reason: given.reason ?? '' },
    { signal },
  );
}

/** What is to be fixed is what the review found, where nothing else is said. */
function withNote(given: AnswerTask, { reviewFindings }: TaskResult): GivenAnswer {
  const question = undefined;
  return given.kind === 'revise' && given.reason === undefined
    ? { ...given, question, reason: fixRequest(reviewFindings ?? '') }
    : { ...given, question };
}
