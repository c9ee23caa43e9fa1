import { dirname, isAbsolute, join } from 'node:path';
import { makeFolder, writeFileAtomic } from '../../../node/files.js';
import type { StoreFiles } from '../../../node/store-file.js';
import type { AuditRecord } from '../../../ports/audit-chain.js';
import { type Calibration, CalibrationSchema } from '../../../products/calibration/calibration.js';
import { htmlReport } from '../../reports/html/html-report.js';
import type { HtmlReportOptions } from '../../reports/html/report-model.js';
import { attemptsOf, waitsOf } from '../../reports/recorded-report.js';
import { type RunVersions, readVersions } from '../../reports/run-folder.js';
import type { RunReport, WayOn } from '../../reports/run-report.js';
import type { Io, PullRequest } from '../io.js';
import { decideCommand, shortIdOf, waitingWay, way, whatDecides } from '../show/next-command.js';
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
  const records: AuditRecord[] = [];
  const { intact, problems } = await store.verifyAudit({
    onRecord: (record) => void records.push(record),
  });
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

/** Returns the calibrations of a store; files that are not one are left out. */
export async function calibrationsOf(files: StoreFiles): Promise<Calibration[]> {
  const names = [...(await files.list('calibration').catch(() => []))];
  const read = await Promise.all(
    names
      .filter((name) => name.endsWith('.json'))
      .sort()
      .map((name) => readCalibration(files, join('calibration', name))),
  );
  return read.filter((calibration) => calibration !== undefined);
}

async function readCalibration(files: StoreFiles, file: string): Promise<Calibration | undefined> {
  try {
    return CalibrationSchema.safeParse(JSON.parse(await files.read(file))).data;
  } catch {
    return undefined;
  }
}

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

/**
 * Returns the ways on that a reader can take. A runner is gone when its log is read, with its runs:
 * there they review the pull request again.
 */
export function waysOfReader(
  report: RunReport,
  ways: readonly WayOn[],
  { io: { github }, store }: { readonly io: Pick<Io, 'github'>; readonly store: StoreHandle },
): readonly WayOn[] {
  if (github === undefined || store.folder === undefined) return ways;
  if (report.approved || report.status === 'accepted') return [];
  if (github.pull === undefined)
    return ways.filter(({ command }) => /^reviewloop (?:review|requirements) /.test(command));
  const steps = reviewAgain(report, github.pull).map(({ command }) => command);
  return [way(steps.join(' && '), 'on your machine')];
}

/** Returns the commands, one after the other, that review a pull request on the machine of its reader. */
export function reviewAgain({ task }: RunReport, { number, base }: PullRequest): WayOn[] {
  // the text of a pull request is a file of the runner
  const isOwn = !isAbsolute(task.source) && /^[\w./-]+$/.test(task.source);
  const file = isOwn ? task.source : `pull-${number}.md`;
  return [
    way(`gh pr checkout ${number}`),
    ...(isOwn
      ? []
      : [way(`gh pr view ${number} --json title,body --jq '.title, .body' > ${file}`)]),
    way(`npx reviewloop review --diff origin/${base}...HEAD --task ${file}`),
  ];
}

export interface PageSource {
  readonly store: StoreHandle;
  readonly cwd: string;
  readonly content?: HtmlReportOptions['content'];
}

/** Writes stored runs as a page. */
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
