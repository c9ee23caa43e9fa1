import { existsSync } from 'node:fs';
import { appendFile, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import * as z from 'zod';
import { messageOf } from '../../../core/errors.js';
import { isThere, makeFolder, unwritableFile, writeFileAtomic } from '../../../node/files.js';
import type { StoreFiles } from '../../../node/store-file.js';
import { sanitise } from '../../../node/terminal/sanitise.js';
import type { FormatOptions, TaskFile } from '../../reports/formats/findings-of.js';
import { githubAnnotations } from '../../reports/formats/github-annotations.js';
import { gitlabReport } from '../../reports/formats/gitlab-report.js';
import { junitReport } from '../../reports/formats/junit-report.js';
import { type MarkdownOptions, markdownReport } from '../../reports/formats/markdown-report.js';
import { rdjsonlReport, rdjsonReport } from '../../reports/formats/rdjson-report.js';
import { sarifReport } from '../../reports/formats/sarif-report.js';
import { jsonOfForm, type RunVersions, runPath } from '../../reports/run-folder.js';
import type { RunReport, WayOn } from '../../reports/run-report.js';
import type { Io } from '../io.js';
import {
  mayOverride,
  nextOfRun,
  overrideWay,
  reviewAgain,
  shortIdOf,
} from '../show/next-command.js';
import type { ReportTarget, ReportTargets } from './report-formats.js';
import { type PageSource, storedRun, writeHtml } from './stored-run.js';

export interface ReportedRuns extends Omit<PageSource, 'io'> {
  readonly reports: readonly RunReport[];
  /** The folder that their paths are relative to, if nothing is stored about it. @default `cwd` */
  readonly from?: string | undefined;
  /** The content of versions that are not stored. @default none */
  readonly versions?: RunVersions | undefined;
}

/** In a job summary; the report has all of them. */
const mostGaps = 20;

/** A little less than GitHub's 1 MiB. */
const mostSummary = 900_000;

/** One that cannot be written does not stop the others. */
export async function writeReports(
  io: Io,
  { files, github }: ReportTargets,
  runs: ReportedRuns,
): Promise<void> {
  if (runs.reports.length === 0) return;
  const formats = await formatOptions(io, runs);
  const options: MarkdownOptions = {
    ...formats,
    links: io.github?.links,
  };
  const leading = await withNext(io, runs);
  const problems: unknown[] = [];
  const attempt = (work: () => Promise<void>): Promise<void> =>
    work().catch((error: unknown) => void problems.push(error));
  for (const target of files)
    await attempt(() => writeFile(target, target.format === 'markdown' ? leading : runs, options));
  if (github !== 'none') {
    (io.github?.annotate ?? io.err)(githubAnnotations(runs.reports, formats));
    await (github === 'asked'
      ? attempt(() => writeSummary(io, leading, options))
      : writeSummary(io, leading, options).catch((error: unknown) =>
          // nobody asked for the summary, so the verdict stays the end of the command
          io.err(`warning: ${sanitise(messageOf(error))}\n`),
        ));
  }
  if (problems.length > 0) throw problems[0];
}

async function formatOptions(
  io: Io,
  { reports, store, cwd, from = cwd, versions = {} }: ReportedRuns,
): Promise<FormatOptions> {
  const paths = new Map(
    await Promise.all(
      reports.map(
        async (report) =>
          [report.runId, await runPaths(report, { files: store.files, from })] as const,
      ),
    ),
  );
  const stored = await Promise.all(reports.map((report) => storedRun(report, store)));
  return {
    versions: Object.assign({}, ...stored.map((run) => run.versions), versions),
    folderOf: ({ runId }) => paths.get(runId)?.folder ?? '',
    taskOf: ({ runId }) => paths.get(runId)?.task,
    // GitHub opens an alert for a suppressed result too
    waived: io.github === undefined ? 'suppress' : 'omit',
  };
}

async function writeFile(
  { format, file }: ReportTarget,
  runs: ReportedRuns & PageSource,
  options: MarkdownOptions,
): Promise<void> {
  if (format === 'html') return writeHtml(file, runs.reports, runs);
  const text = await textOf(format, runs, options);
  await makeFolder(dirname(file));
  await writeFileAtomic(file, text);
}

async function textOf(
  format: Exclude<ReportTarget['format'], 'html'>,
  runs: ReportedRuns,
  { links, ...options }: MarkdownOptions,
): Promise<string> {
  const { reports } = runs;
  const all = { ...options, waived: 'suppress' } as const;
  switch (format) {
    case 'sarif':
      return sarifReport(reports, options);
    case 'junit':
      return junitReport(reports, all);
    case 'gitlab':
      return gitlabReport(reports, all);
    case 'rdjson':
      return rdjsonReport(reports, all);
    case 'rdjsonl':
      return rdjsonlReport(reports, all);
    case 'markdown':
      return markdownReport(reports, { ...all, links });
  }
}

async function writeSummary(
  { github }: Io,
  runs: ReportedRuns,
  options: MarkdownOptions,
): Promise<void> {
  const file = github?.summaryFile;
  if (file === undefined) return;
  const size = await stat(file).then(
    (found) => found.size,
    () => 0,
  );
  const bytes = mostSummary - size;
  // the step has filled its summary: GitHub would show nothing of it
  if (bytes < 1_000) return;
  const text = markdownReport(runs.reports, {
    ...options,
    waived: 'suppress',
    gaps: mostGaps,
    bytes,
  });
  try {
    await appendFile(file, `${text}\n`);
  } catch (error) {
    throw unwritableFile(file, error);
  }
}

/**
 * A runner is gone when its summary is read, with its runs: there the commands review the pull
 * request again.
 */
async function withNext({ github }: Io, runs: ReportedRuns): Promise<ReportedRuns> {
  const isGone = github !== undefined && runs.store.folder !== undefined;
  const waysOf = async (report: RunReport): Promise<readonly WayOn[]> => {
    if (isGone) return github.pull === undefined ? [] : reviewAgain(report, github.pull);
    const next = await nextOfRun(report, runs);
    if (report.next !== undefined || !mayOverride(report)) return next;
    const shortId = await shortIdOf(runs.store.files, report.runId);
    return [...next, overrideWay(shortId, runs.store.words(runs.cwd))];
  };
  const reports = await Promise.all(
    runs.reports.map(async (report) => ({ ...report, next: [...(await waysOf(report))] })),
  );
  return { ...runs, reports };
}

export interface RunPaths {
  readonly folder: string;
  readonly task?: TaskFile | undefined;
}

const RequestSchema = z.object({
  kind: z.string().optional(),
  cwd: z.string(),
  task: z.object({ source: z.string(), text: z.string() }),
});

/**
 * Tells where they stand in their repository.
 *
 * @param from - The folder that they are relative to, if nothing is stored about it.
 */
export async function runPaths(
  { runId }: RunReport,
  { files, from }: { readonly files: StoreFiles; readonly from: string },
): Promise<RunPaths> {
  // runs of tasks, gates and checklists store none
  const request = await jsonOfForm(files, runPath(runId, 'request.json'), RequestSchema);
  if (request === undefined) return { folder: folderInRepository(from) };
  const { cwd, kind, task } = request;
  const file = resolve(cwd, task.source);
  const root = rootAbove(cwd);
  return {
    // a diff names its files from the root
    folder: kind === 'stage' ? '' : folderInRepository(cwd),
    ...((await isThere(file)) && {
      task: { file: slashed(relative(root, file)), text: task.text },
    }),
  };
}

function folderInRepository(folder: string): string {
  return slashed(relative(rootAbove(folder), folder));
}

/** Outside of a repository it is the folder itself. */
function rootAbove(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (dirname(at) === at) return folder;
  }
}

function slashed(path: string): string {
  return path.split(sep).join('/');
}
