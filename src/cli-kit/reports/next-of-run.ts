import type { RunReport } from '../../reports/run-report.js';
import { decideCommand, shortIdOf, waitingCommand } from '../show/next-command.js';
import { storeWords } from '../store-folder.js';

/** Returns the commands that lead on from a stored run. */
export async function nextOfRun(
  report: RunReport,
  { folder, cwd }: { readonly folder: string; readonly cwd: string },
): Promise<string[]> {
  const shortId = await shortIdOf(folder, report.runId);
  const store = storeWords(cwd, folder);
  if (report.status === 'suspended') return [waitingCommand(report, shortId, store)];
  if (report.approved || report.status === 'accepted') return [];
  const decide = decideCommand(report, shortId, store);
  return decide === undefined ? [] : [decide];
}
