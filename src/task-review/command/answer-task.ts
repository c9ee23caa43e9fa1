import { answerOf, type GivenAnswer } from '../../cli-kit/answer-question.js';
import type { Io } from '../../cli-kit/io.js';
import { reopenProvider } from '../../cli-kit/provider/choose-provider.js';
import { providerChoice } from '../../cli-kit/provider/provider-choice.js';
import type { StoreHandle } from '../../cli-kit/store-handle.js';
import { ReviewLoopError } from '../../core/errors.js';
import { engineErrors } from '../../engine/errors.js';
import { nodeErrors } from '../../node/errors.js';
import { sanitise, terminalSafeJson } from '../../terminal/sanitise.js';
import { fixRequest, type TaskResult } from '../task-result.js';
import type { TaskReview } from '../task-review.js';
import { finishTask, isUnfinished } from './begin-task.js';
import { buildTaskReview } from './build-task-review.js';
import { claimFolder } from './claim-folder.js';
import { reportTasks } from './report-tasks.js';
import { hasMoved, uncommitted } from './task-folder.js';
import type { TaskRecord } from './task-record.js';
import { taskExitCode, taskJson, taskLines } from './task-report.js';

/** The answer to a waiting task. */
export interface AnswerTask extends GivenAnswer {
  readonly store: StoreHandle;
  readonly format: 'text' | 'json';
  /** The reports to write. */
  readonly report: readonly string[];
}

/**
 * Answers a waiting task and continues it, or overrides the end of a task.
 *
 * @returns The exit code.
 */
export function answerTask(io: Io, record: TaskRecord, given: AnswerTask): Promise<number> {
  return claimFolder(record.folder, () => answerClaimed(io, record, given));
}

async function answerClaimed(io: Io, record: TaskRecord, given: AnswerTask): Promise<number> {
  const { store } = given;
  const { runId, task } = record;
  if (await hasMoved(record))
    throw new ReviewLoopError(
      engineErrors.request_stale,
      `the branch has new commits since the work on ${task.id} began; continuing would ` +
        `revert them: start it again with \`reviewloop tasks run --task ${task.id} --anew\``,
      { value: runId },
    );
  if (given.kind === 'override') await requireCleanFolder(record, store);
  const provider = await reopenProvider(providerChoice(record.settings));
  const review = buildTaskReview(record, { store, provider, inTurn: (work) => work() });
  const result = await answered(review, record, given, io.signal);
  const finished = await finishTask(record, result, store);
  const exitCode = taskExitCode(result);
  if (given.format === 'json')
    await io.out(
      `${terminalSafeJson({ schemaVersion: 1, id: task.id, done: result.success, exitCode, ...finished, ...taskJson(result) })}\n`,
    );
  else
    await io.out(
      `${taskLines(task.id, result, {
        ...finished,
        store: store.words(io.cwd),
        again: record.again,
      })
        .map(sanitise)
        .join('\n')}\n`,
    );
  const end = { id: task.id, exitCode, done: result.success, result, lines: [] };
  await reportTasks(io, given.report, { ends: [end], store, from: record.root });
  return exitCode;
}

/**
 * Checks that the folder has no changes if the work on the task was set aside. An override writes
 * the work into the folder again.
 *
 * @throws ReviewLoopError `usage`
 */
async function requireCleanFolder(
  { root, folder, task, runId }: TaskRecord,
  store: StoreHandle,
): Promise<void> {
  const last = (await store.attempts.of(task.id)).findLast((one) => one.runId === runId);
  if (folder !== root || last === undefined || isUnfinished(last)) return;
  if ((await uncommitted(folder)) === '') return;
  throw new ReviewLoopError(
    nodeErrors.usage,
    'the folder has uncommitted changes; commit them or run `git stash -u` first, so that they ' +
      `do not mix with the work on ${task.id}`,
    { value: folder },
  );
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
        engineErrors.request_unknown,
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
      engineErrors.request_unknown,
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
