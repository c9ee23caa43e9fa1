import { dirname, join } from 'node:path';
import { makeFolder, writeFileAtomic } from '../../node/files.js';
import type { AuditRecord } from '../../ports/audit-chain.js';
import { htmlReport } from '../../reports/html/html-report.js';
import type { HtmlReportOptions } from '../../reports/html/html-report-options.js';
import type { RunReport } from '../../reports/run-report.js';
import { readVersions } from '../../reports/run-versions.js';
import { waitsOf } from '../../reports/waits-of.js';
import { openStores } from '../run-stores.js';
import { decideCommand, waitingCommand } from '../show/next-command.js';
import { shortIdOf } from '../show/short-texts.js';
import { storeWords } from '../store-folder.js';

/** Where the runs of a page are stored, and what the page contains of them. */
export interface PageSource {
  /** The folder of the store. */
  readonly folder: string;
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
  { folder, cwd, content }: PageSource,
): Promise<void> {
  const stored = await Promise.all(
    reports.map(({ runId }) => readVersions(join(folder, 'runs', runId))),
  );
  const next = await Promise.all(
    reports.map(async (report) => [report.runId, await nextOf(report, folder, cwd)] as const),
  );
  const { store } = openStores(folder);
  const whole = await Promise.all(
    reports.map(async (report) => {
      const waits = waitsOf((await store.read(report.runId)) ?? [], shortIds(report));
      return waits.length === 0 ? report : { ...report, waits };
    }),
  );
  const page = htmlReport(whole, {
    content,
    versions: Object.assign({}, ...stored),
    next: Object.fromEntries(next),
    audit: await auditOf(folder),
  });
  await makeFolder(dirname(file));
  await writeFileAtomic(file, page);
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

async function nextOf(report: RunReport, folder: string, cwd: string): Promise<string[]> {
  const shortId = await shortIdOf(folder, report.runId);
  const store = storeWords(cwd, folder);
  if (report.status === 'suspended') return [waitingCommand(report, shortId, store)];
  if (report.approved || report.status === 'accepted') return [];
  const decide = decideCommand(report, shortId, store);
  return decide === undefined ? [] : [decide];
}

async function auditOf(folder: string): Promise<HtmlReportOptions['audit']> {
  const records: AuditRecord[] = [];
  const { intact, problems } = await openStores(folder).verifyAudit({
    onRecord: (record) => void records.push(record),
  });
  return {
    intact,
    problem: problems[0]?.what,
    records: records.map(({ runId, at, who, kind, decision, reason }) => ({
      runId,
      at,
      by: who,
      action: decision === undefined ? kind : `${kind}: ${decision}`,
      reason: reason ?? '',
    })),
  };
}
