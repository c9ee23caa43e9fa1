import { ReviewLoopError } from '../../../core/errors.js';
import { engineErrors } from '../../../engine/errors.js';
import { sanitise } from '../../../node/terminal/sanitise.js';
import { fixRequest, type TaskResult } from '../../../products/task-review/task-result.js';
import type { TaskReview } from '../../../products/task-review/task-review.js';
import { usageError } from '../../cli-kit/errors.js';
import { tell } from '../../cli-kit/io.js';
import { providerChoice, reopenProvider } from '../../cli-kit/provider/provider-choice.js';
import { carryOut } from '../../cli-kit/runs/carry-out.js';
import type { Continuable, FoundRun, OpenRun, RunCall } from '../../cli-kit/runs/run-kind.js';
import type { StoreHandle } from '../../cli-kit/store-handle.js';
import { recordRun } from '../../reports/run-recorder.js';
import { type FinishedTask, finishTask, isUnfinished } from './begin-task.js';
import { buildTaskReview } from './build-task-review.js';
import { claimFolder, hasMoved, uncommitted } from './task-folder.js';
import type { TaskRecord } from './task-record.js';
import { taskExitCode, taskJson, taskLines, taskReport } from './task-report.js';
import { taskReportOf } from './task-run-report.js';

export async function foundTaskRun(store: StoreHandle, record: TaskRecord): Promise<FoundRun> {
  const { runId, task, folder } = record;
  const recorded = (await taskReportOf(store, runId))?.report;
  if (recorded === undefined)
    throw new ReviewLoopError(engineErrors.run_unknown, `the work on ${task.id} has not begun`, {
      value: runId,
    });
  const again = `reviewloop tasks run --task ${task.id}`;
  const last = (await store.attempts.of(task.id)).findLast((one) => one.runId === runId);
  // the record of an ended run names no version
  const version = recorded.version ?? recorded.reviews.at(-1)?.version;
  const report = { ...recorded, ...(version !== undefined && { version }) };
  return {
    report,
    needs: { config: false, cwd: folder },
    next: again,
    notResumed: `is a task: continue it with \`${again}`,
    note: fixRequest(last?.reviewFindings ?? ''),
    goOn: (call, { act, kind }) =>
      claimFolder(folder, () =>
        carryOut(call, {
          times: 'tasks',
          before: report,
          open: async () => {
            await requireUnmoved(record);
            if (kind === 'override') await requireCleanFolder(record, store);
            const provider = await reopenProvider(providerChoice(record.settings));
            const place = {
              store,
              provider,
              inTurn: <Value>(work: () => Promise<Value>) => work(),
            };
            const review = await buildTaskReview(record, place);
            return taskRun(call, record, { review, act: () => act(continuable(review, record)) });
          },
        }),
      ),
  };
}

async function requireUnmoved(record: TaskRecord): Promise<void> {
  if (!(await hasMoved(record))) return;
  const { id } = record.task;
  throw new ReviewLoopError(
    engineErrors.request_stale,
    `the branch has new commits since the work on ${id} began; continuing would ` +
      `revert them: start it again with \`reviewloop tasks run --task ${id} --anew\``,
    { value: record.runId },
  );
}

/** If the work was set aside: an override writes it into the folder again. */
async function requireCleanFolder(
  { root, folder, task, runId }: TaskRecord,
  store: StoreHandle,
): Promise<void> {
  const last = (await store.attempts.of(task.id)).findLast((one) => one.runId === runId);
  if (folder !== root || last === undefined || isUnfinished(last)) return;
  if ((await uncommitted(folder)) === '') return;
  throw usageError(
    'the folder has uncommitted changes; commit them or run `git stash -u` first, so that they ' +
      `do not mix with the work on ${task.id}`,
    folder,
  );
}

function continuable(review: TaskReview, { task, runId }: TaskRecord): Continuable<TaskResult> {
  return {
    on: (event, listener) => review.on(event, listener),
    resume: (_, options) => review.run(task, { ...options, runId }),
    answer: (request, answer, options) => review.answer(task, request, answer, options),
    decide: async () => {
      throw new ReviewLoopError(engineErrors.answer_not_allowed, 'a task takes no `decide`');
    },
    override: async (_, given, options) => {
      const { run } = await review.run(task, { ...options, runId });
      return review.override(task, { runId, digest: run.version ?? '' }, given, options);
    },
  };
}

function taskRun(
  { io, store, cwd, format }: RunCall,
  record: TaskRecord,
  { review, act }: { readonly review: TaskReview; readonly act: OpenRun<TaskResult>['act'] },
): OpenRun<TaskResult> {
  const { id } = record.task;
  let finished: FinishedTask = {};
  return {
    run: review,
    act,
    recorder: recordRun(review),
    outcomeOf: ({ run }) => run,
    writeBack: async (result) => {
      finished = await finishTask(record, result, store);
      return [];
    },
    reportOf: (result) => {
      const exitCode = taskExitCode(result);
      return taskReport({ id, exitCode, done: result.success, result, lines: [] });
    },
    show: async (result, { exitCode }) => {
      const words = store.words(cwd);
      const lines = taskLines(id, result, { ...finished, store: words, again: record.again });
      const data = { id, done: result.success, exitCode, ...finished, ...taskJson(result) };
      await tell(io, format, { data, lines: lines.map(sanitise) });
    },
    from: record.root,
  };
}
