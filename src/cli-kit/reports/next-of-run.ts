import type { RunReport, WayOn } from '../../reports/run-report.js';
import { decideCommand, shortIdOf, waitingWay, way, whatDecides } from '../show/next-command.js';
import type { StoreHandle } from '../store-handle.js';

/** Returns what leads on from a stored run: what was stored with it, or else how to answer it. */
export async function nextOfRun(
  report: RunReport,
  { store, cwd }: { readonly store: StoreHandle; readonly cwd: string },
): Promise<readonly WayOn[]> {
  if (report.next !== undefined) return report.next;
  const shortId = await shortIdOf(store.files, report.runId);
  const words = store.words(cwd);
  if (report.status === 'suspended') return [waitingWay(report, shortId, words)];
  if (report.approved || report.status === 'accepted') return [];
  const decide = decideCommand(report, shortId, words);
  return decide === undefined ? [] : [way(decide, whatDecides)];
}
