import { resolve } from 'node:path';
import { ReviewLoopError } from '../../core/errors.js';
import { nodeErrors } from '../../node/errors.js';
import type { RunReport } from '../../reports/run-report.js';
import { flag } from '../flags/flag.js';

/** `--report`: reports that a command writes when its run has ended. */
export const reportFlag = flag({
  name: 'report',
  arg: '<format=file>',
  many: true,
  help: 'also write a report when the run has ended: html=FILE; may be repeated',
});

/** A report to write. */
export interface ReportTarget {
  readonly format: 'html';
  /** The absolute path. */
  readonly file: string;
}

/**
 * Returns the reports that `--report` asks for.
 *
 * @throws ReviewLoopError `usage`
 */
export function reportTargets(given: readonly string[], cwd: string): ReportTarget[] {
  return given.map((text) => {
    const [, format, file] = /^([a-z]+)=(.+)$/s.exec(text) ?? [];
    if (format !== 'html' || file === undefined)
      throw new ReviewLoopError(
        nodeErrors.usage,
        `--report expects html=FILE, got ${JSON.stringify(text)}`,
        { value: text },
      );
    return { format, file: resolve(cwd, file) };
  });
}

/**
 * Checks `--report` before any work.
 *
 * @throws ReviewLoopError `usage`, `already_exists`
 */
export async function checkReports(given: readonly string[], cwd: string): Promise<void> {
  const targets = reportTargets(given, cwd);
  if (targets.length === 0) return;
  const { refuseOtherFile } = await import('./own-file.js');
  for (const { file } of targets) await refuseOtherFile(file);
}

/**
 * Writes the reports of a stored run.
 *
 * @throws ReviewLoopError `output_unwritable`
 */
export async function writeReports(
  targets: readonly ReportTarget[],
  report: RunReport,
  source: { readonly folder: string; readonly cwd: string },
): Promise<void> {
  if (targets.length === 0) return;
  const { writeHtml } = await import('./write-html.js');
  for (const { file } of targets) await writeHtml(file, [report], source);
}
