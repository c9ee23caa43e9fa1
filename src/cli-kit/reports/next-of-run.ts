import type { RunReport } from '../../reports/run-report.js';
import { decideCommand, shortIdOf, waitingCommand } from '../show/next-command.js';
import type { StoreHandle } from '../store-handle.js';

/** Returns the commands that lead on from a stored run. */
export async function nextOfRun(
  report: RunReport,
  { store, cwd }: { readonly store: StoreHandle; readonly cwd: string },
): Promise<string[]> {
  const shortId = await shortIdOf(store.files, report.runId);
  const words = store.words(cwd);
  if (report.status === 'suspended') return [waitingCommand(report, shortId, words)];
  if (report.approved || report.status === 'accepted') return [];
  const decide = decideCommand(report, shortId, words);
  return decide === undefined ? [] : [decide];
}
