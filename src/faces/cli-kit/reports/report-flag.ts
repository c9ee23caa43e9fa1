import { resolve } from 'node:path';
import { usageError } from '../errors.js';
import { flag } from '../flags/flag.js';
import type { Io } from '../io.js';
import {
  type ReportTarget,
  type ReportTargets,
  reportFormat,
  reportFormats,
} from './report-formats.js';
import type { ReportedRuns } from './write-reports.js';

export const reportFlag = flag({
  name: 'report',
  arg: '<format=file>',
  many: true,
  help:
    'also write a report when the run has ended: html=FILE, sarif=FILE, junit=FILE, gitlab=FILE, ' +
    'rdjson=FILE, rdjsonl=FILE, markdown=FILE, or github; may be repeated',
});

function reportTargets(given: readonly string[], cwd: string): ReportTargets {
  const files = given
    .filter((text) => text !== 'github')
    .map((text): ReportTarget => {
      const [, name = '', file] = /^([a-z]+)=(.+)$/s.exec(text) ?? [];
      const format = reportFormat(name);
      if (format === undefined || file === undefined)
        throw usageError(
          `--report expects ${reportFormats.map((known) => `${known}=FILE`).join(', ')} or github, got ${JSON.stringify(text)}`,
          text,
        );
      return { format, file: resolve(cwd, file) };
    });
  return { files, github: given.includes('github') ? 'asked' : 'none' };
}

/** Must come before any work. */
export async function checkReports(given: readonly string[], cwd: string): Promise<void> {
  await checkTargets(reportTargets(given, cwd).files);
}

export async function checkTargets(files: readonly ReportTarget[]): Promise<void> {
  if (files.length === 0) return;
  const { checkReportFile } = await import('./own-file.js');
  const seen = new Set<string>();
  for (const target of files) {
    if (seen.has(target.file))
      throw usageError(`two reports go to ${target.file}; name a file for each`, target.file);
    seen.add(target.file);
    await checkReportFile(target);
  }
}

export async function reportRuns(
  io: Io,
  given: readonly string[],
  runs: ReportedRuns,
): Promise<void> {
  if (given.length === 0 && io.github === undefined) return;
  const targets = reportTargets(given, runs.cwd);
  const isAuto = targets.github === 'none' && io.github !== undefined;
  const { writeReports } = await import('./write-reports.js');
  await writeReports(io, { ...targets, ...(isAuto && { github: 'auto' }) }, runs);
}
