import { answerOf, type GivenAnswer } from '../../cli-kit/answer-question.js';
import type { Io } from '../../cli-kit/io.js';
import { chooseProvider } from '../../cli-kit/provider/choose-provider.js';
import { providerChoice } from '../../cli-kit/provider/provider-choice.js';
import { storeWords } from '../../cli-kit/store-folder.js';
import { ReviewLoopError } from '../../core/errors.js';
import { sanitise, terminalSafeJson } from '../../terminal/sanitise.js';
import { fixRequest, type TaskResult } from '../task-result.js';
import type { TaskReview } from '../task-review.js';
import { buildTaskReview } from './build-task-review.js';
import { hasMoved, removeFolder } from './task-folder.js';
import type { TaskRecord } from './task-record.js';
import { taskExitCode, taskJson, taskLines } from './task-report.js';

/** The answer to a waiting task. */
export interface AnswerTask extends GivenAnswer {
  readonly store: string;
  readonly format: 'text' | 'json';
}

/**
 * Answers a waiting task and continues it, or overrides the end of a task.
 *
 * @returns The exit code.
 */
export async function answerTask(io: Io, record: TaskRecord, given: AnswerTask): Promise<number> {
  const { store } = given;
  const { runId, task } = record;
  if (await hasMoved(record))
    throw new ReviewLoopError(
      'request_stale',
      `the branch has new commits since the work on ${task.id} began; continuing would ` +
        `revert them: start it again with \`reviewloop tasks run --task ${task.id}\``,
      { value: runId },
    );
  const provider = await chooseProvider({ err: () => {} }, providerChoice(record.settings), true);
  const review = buildTaskReview(record, { store, provider, inTurn: (work) => work() });
  const result = await answered(review, record, given, io.signal);
  if (result.success) await removeFolder(record.root, record.folder);
  const exitCode = taskExitCode(result);
  if (given.format === 'json')
    await io.out(
      `${terminalSafeJson({ schemaVersion: 1, id: task.id, done: result.success, exitCode, ...taskJson(result) })}\n`,
    );
  else
    await io.out(
      `${taskLines(task.id, result, storeWords(io.cwd, store)).map(sanitise).join('\n')}\n`,
    );
  return exitCode;
}

/** Replays the record up to the question, and answers the question. */
async function answered(
  review: TaskReview,
  { runId, task }: TaskRecord,
  given: AnswerTask,
  signal: AbortSignal,
): Promise<TaskResult> {
  const before = await review.run(task, { runId, signal });
  const { run } = before;
  if (run.status === 'suspended') {
    const { question: asked = '' } = given;
    const question = run.requests.find(({ id }) => id.startsWith(asked));
    if (question === undefined)
      throw new ReviewLoopError(
        'request_unknown',
        `task ${task.id} asks no question ${asked}; it asks ${run.requests[0].id}`,
        { value: asked },
      );
    return review.answer(
      task,
      { runId, id: question.id, digest: question.digest },
      answerOf(withNote(given, before), { coverage: [], undecided: [] }),
      { signal },
    );
  }
  if (given.kind !== 'override' || before.success)
    throw new ReviewLoopError(
      'request_unknown',
      `task ${task.id} asks no question: it is ${before.status}`,
      { value: runId },
    );
  return review.override(
    task,
    { runId, digest: run.version ?? '' },
    { by: given.by, reason: given.reason ?? '' },
    { signal },
  );
}

/** Returns the answer with a note. Without a reason, the note asks for a fix of the findings. */
function withNote(given: AnswerTask, { reviewFindings }: TaskResult): GivenAnswer {
  return given.kind === 'revise' && given.reason === undefined
    ? { ...given, reason: fixRequest(reviewFindings ?? '') }
    : given;
}
