import { join } from 'node:path';
import type { RunReport } from '../../reports/run-report.js';
import { type RunVersions, readVersions } from '../../reports/run-versions.js';
import { waitsOf } from '../../reports/waits-of.js';
import { openStores } from '../run-stores.js';

/** Returns a stored report with its versions, and with the questions to people of its journal. */
export async function storedRun(
  report: RunReport,
  folder: string,
): Promise<{ readonly report: RunReport; readonly versions: RunVersions }> {
  const { runId } = report;
  const [versions, records] = await Promise.all([
    readVersions(join(folder, 'runs', runId)),
    openStores(folder).store.read(runId),
  ]);
  const waits = waitsOf(records ?? [], shortIds(report));
  return { report: waits.length === 0 ? report : { ...report, waits }, versions };
}

/** Returns the short ids of the requirements of a run, by criterion. */
function shortIds({ reviews }: RunReport): ReadonlyMap<string, string> {
  return new Map(
    reviews.flatMap(({ assessments }) =>
      assessments.flatMap(({ criterion, id }): [string, string][] =>
        id === undefined ? [] : [[criterion, id]],
      ),
    ),
  );
}
