import type { StoredCall } from '../../cli-kit/flags/command.js';
import { findReviewed } from '../../cli-kit/reports/find-stored.js';
import { checkReports } from '../../cli-kit/reports/report-flag.js';
import { userName } from '../../cli-kit/user-name.js';
import { ReviewLoopError } from '../../core/errors.js';
import { nodeErrors } from '../../node/errors.js';
import { actOnStage } from '../../reviewer-stage/command/answer-stage.js';
import { readStageRequest } from '../../reviewer-stage/command/stage-request.js';
import { taskOfRun } from '../../task-review/command/task-record.js';
import { readRequest } from '../review/run-request.js';
import { answerFileRun } from './answer-file-run.js';
import { filesOf } from './answer-run.js';
import { missingHere } from './missing-here.js';

/** The flags of `reviewloop resume`. */
interface ResumeFlags {
  readonly id: string;
  readonly format: 'text' | 'json';
  readonly quiet: boolean;
  readonly report: readonly string[];
}

/**
 * Continues a run with the answers that were recorded, and returns the exit code.
 *
 * @throws ReviewLoopError `run_unknown`, `run_busy`, `usage`
 */
export async function resumeRun(
  { io, entry, store }: StoredCall,
  flags: ResumeFlags,
): Promise<number> {
  await checkReports(flags.report, io.cwd);
  const task = await taskOfRun(store.files, flags.id);
  if (task !== undefined)
    throw new ReviewLoopError(
      nodeErrors.usage,
      `${flags.id} is a task: continue it with \`reviewloop tasks run --task ${task.task.id}${store.words(io.cwd)}\``,
      { value: flags.id },
    );
  const report = await findReviewed(store, flags.id);
  const settings = {
    ...flags,
    store,
    kind: 'approve',
    by: userName(),
    reason: undefined,
    question: undefined,
  } as const;
  const stage = await readStageRequest(store.files, report.runId);
  const request = stage === undefined ? await readRequest(store.files, report.runId) : undefined;
  const why = await missingHere(
    store,
    stage ?? { config: request?.config ?? false, files: request && filesOf(request) },
  );
  if (why !== undefined)
    throw new ReviewLoopError(
      nodeErrors.usage,
      `run ${report.runId} cannot go on here: ${why}; resume it where it was started`,
      { value: report.runId },
    );
  const options = { signal: io.signal };
  if (stage !== undefined)
    return actOnStage(io, settings, {
      report,
      request: stage,
      act: (reviewer) => reviewer.resume(report.runId, options),
    });
  return answerFileRun(io, io.watched ? entry : undefined, {
    answered: { settings, report, request: await readRequest(store.files, report.runId) },
    act: (pipeline) => pipeline.resume(report.runId, options),
  });
}
