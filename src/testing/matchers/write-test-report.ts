import { dirname, resolve } from 'node:path';
import { artifactsOf } from '../../core/artifact.js';
import { invalid } from '../../core/options.js';
import type { Outcome } from '../../core/outcome.js';
import { htmlReport } from '../../faces/reports/html/html-report.js';
import { reportMark } from '../../faces/reports/report-marks.js';
import type { RunReport } from '../../faces/reports/run-report.js';
import { isThere, makeFolder, readTextFile, writeFileAtomic } from '../../node/files.js';

/** Replaces an earlier report, and no other file. */
export async function writeTestReport(
  file: string,
  report: RunReport,
  { version, output }: Outcome<unknown>,
): Promise<void> {
  const path = resolve(file);
  if (!(await isFree(path)))
    throw invalid('report', 'the path of a new file or of an earlier report', file);
  const versions = version === undefined ? {} : { [version]: artifactsOf(output) };
  await makeFolder(dirname(path));
  await writeFileAtomic(path, htmlReport(report, { versions }));
}

async function isFree(path: string): Promise<boolean> {
  if (!(await isThere(path))) return true;
  const content = await readTextFile(path, { maxBytes: Number.MAX_SAFE_INTEGER });
  return content.kind === 'text' && content.text.includes(reportMark);
}
