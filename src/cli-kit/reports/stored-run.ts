import { attemptsOf } from '../../reports/attempts-of.js';
import type { RunReport } from '../../reports/run-report.js';
import { type RunVersions, readVersions } from '../../reports/run-versions.js';
import { waitsOf } from '../../reports/waits-of.js';
import type { StoreHandle } from '../store-handle.js';

/** Returns a stored report with its versions, and with what only its journal tells. */
export async function storedRun(
  report: RunReport,
  { files, runs }: Pick<StoreHandle, 'files' | 'runs'>,
): Promise<{ readonly report: RunReport; readonly versions: RunVersions }> {
  const { runId } = report;
  const [versions, records] = await Promise.all([readVersions(files, runId), runs.read(runId)]);
  const waits = waitsOf(records ?? [], shortIds(report));
  const attempts = attemptsOf(records ?? []);
  return {
    report: {
      ...report,
      ...(waits.length > 0 && { waits }),
      ...(attempts.length > 0 && { attempts }),
    },
    versions,
  };
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
