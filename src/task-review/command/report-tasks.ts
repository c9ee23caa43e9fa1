import type { Io } from '../../cli-kit/io.js';
import { reportRuns } from '../../cli-kit/reports/report-runs.js';
import type { StoreHandle } from '../../cli-kit/store-handle.js';
import { systemClock } from '../../ports/clock.js';
import { type ReportedTask, taskReports } from './ended-task-reports.js';

/** Tasks that ended, and where they did. */
export interface EndedTasks {
  readonly ends: readonly ReportedTask[];
  readonly store: StoreHandle;
  /** The root of the repository, which the paths of tasks are relative to. */
  readonly from: string;
}

/**
 * Writes the reports of tasks, all of them into one.
 *
 * @throws ReviewLoopError `output_unwritable`
 */
export async function reportTasks(
  io: Io,
  given: readonly string[],
  { ends, store, from }: EndedTasks,
): Promise<void> {
  if (given.length === 0 && io.github === undefined) return;
  const reports = await taskReports(ends, systemClock.now());
  await reportRuns(io, given, { reports, store, cwd: io.cwd, from });
}
