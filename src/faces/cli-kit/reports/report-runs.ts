import type { Io } from '../io.js';
import { reportTargets } from './report-flag.js';
import type { ReportedRuns } from './write-reports.js';

/** Writes the reports that `--report` asks for, and those that a workflow of GitHub shows. */
export async function reportRuns(
  io: Io,
  given: readonly string[],
  runs: ReportedRuns,
): Promise<void> {
  if (given.length === 0 && io.github === undefined) return;
  const targets = reportTargets(given, runs.cwd);
  const isAuto = targets.github === 'none' && io.github !== undefined;
  const { writeReports } = await import('./write-reports.js');
  await writeReports(io, { ...targets, ...(isAuto && { github: 'auto' }) }, runs);
}
