import { dirname, join } from 'node:path';
import { auditRecords } from '../../../adapters/stores/file/verify-audit.js';
import { makeFolder, writeFileAtomic } from '../../../node/files.js';
import type { StoreFiles } from '../../../node/store-file.js';
import { type Calibration, CalibrationSchema } from '../../../products/calibration/calibration.js';
import { htmlReport } from '../../reports/html/html-report.js';
import type { HtmlReportOptions } from '../../reports/html/report-model.js';
import { attemptsOf, waitsOf } from '../../reports/recorded-report.js';
import { jsonOfForm, type RunVersions, readVersions } from '../../reports/run-folder.js';
import type { RunReport } from '../../reports/run-report.js';
import { nextOfRun } from '../show/next-command.js';
import type { StoreHandle } from '../store-handle.js';

/** Adds the versions, and what only the journal tells. */
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

function shortIds({ reviews }: RunReport): ReadonlyMap<string, string> {
  return new Map(
    reviews.flatMap(({ assessments }) =>
      assessments.flatMap(({ criterion, id }): [string, string][] =>
        id === undefined ? [] : [[criterion, id]],
      ),
    ),
  );
}

export async function auditOf(
  store: Pick<StoreHandle, 'verifyAudit'>,
): Promise<HtmlReportOptions['audit']> {
  const { intact, problems, records } = await auditRecords(store.verifyAudit);
  return {
    intact,
    problem: problems[0]?.what,
    records: records.map(({ runId, at, who, kind, decision, reason, seq, hash }) => ({
      seq,
      hash,
      runId,
      at,
      by: who,
      action: decision === undefined ? kind : `${kind}: ${decision}`,
      reason: reason ?? '',
    })),
  };
}

/** Files that are no calibration are left out. */
export async function calibrationsOf(files: StoreFiles): Promise<Calibration[]> {
  const names = [...(await files.list('calibration').catch(() => []))];
  const read = await Promise.all(
    names
      .filter((name) => name.endsWith('.json'))
      .sort()
      .map((name) => jsonOfForm(files, join('calibration', name), CalibrationSchema)),
  );
  return read.filter((calibration) => calibration !== undefined);
}

export interface PageSource {
  readonly store: StoreHandle;
  readonly cwd: string;
  readonly content?: HtmlReportOptions['content'];
}

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
