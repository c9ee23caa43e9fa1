import { dirname } from 'node:path';
import { makeFolder, writeFileAtomic } from '../../node/files.js';
import { htmlReport } from '../../reports/html/html-report.js';
import type { HtmlReportOptions } from '../../reports/html/html-report-options.js';
import type { RunReport } from '../../reports/run-report.js';
import type { StoreHandle } from '../store-handle.js';
import { auditOf } from './audit-of.js';
import { calibrationsOf } from './calibrations-of.js';
import { nextOfRun } from './next-of-run.js';
import { storedRun } from './stored-run.js';

/** Where the runs of a page are stored, and what the page contains of them. */
export interface PageSource {
  readonly store: StoreHandle;
  readonly cwd: string;
  readonly content?: HtmlReportOptions['content'];
}

/**
 * Writes stored runs as a page.
 *
 * @throws ReviewLoopError `output_unwritable`
 */
export async function writeHtml(
  file: string,
  reports: readonly RunReport[],
  { store, cwd, content }: PageSource,
): Promise<void> {
  const stored = await Promise.all(
    reports.map(async (report) =>
      storedRun({ ...report, next: [...(await nextOfRun(report, { store, cwd }))] }, store),
    ),
  );
  const page = htmlReport(
    stored.map(({ report }) => report),
    {
      content,
      versions: Object.assign({}, ...stored.map(({ versions }) => versions)),
      audit: await auditOf(store),
      calibrations: await calibrationsOf(store.files),
    },
  );
  await makeFolder(dirname(file));
  await writeFileAtomic(file, page);
}
