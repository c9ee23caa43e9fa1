import { constants, type Stats } from 'node:fs';
import { access, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ReviewLoopError } from '../../../core/errors.js';
import { isMissing } from '../../../node/durable.js';
import { nodeErrors } from '../../../node/errors.js';
import { systemReason } from '../../../node/files.js';
import { junitMark, markdownMark, reportMark } from '../../reports/report-marks.js';
import { cliErrors } from '../errors.js';
import type { ReportFormat, ReportTarget } from './report-formats.js';

/** How much of a file is read to see whose it is. */
const head = 4_000;

const isEarlier: Readonly<Record<ReportFormat, (start: string) => boolean>> = {
  html: (start) => start.includes(reportMark),
  sarif: (start) => /"driver":\s*\{\s*"name":\s*"reviewloop"/.test(start),
  junit: (start) => start.includes(junitMark),
  // a report without gaps
  gitlab: (start) =>
    start.trim() === '[]' || /^\[\s*\{\s*"engine_name":\s*"reviewloop"/.test(start),
  rdjson: (start) => /^\{\s*"source":\s*\{\s*"name":\s*"reviewloop"/.test(start),
  rdjsonl: (start) => start === '' || start.startsWith('{"source":{"name":"reviewloop"'),
  markdown: (start) => start.startsWith(markdownMark),
};

/**
 * It replaces an earlier report of its format, and never another file, such as one that was
 * reviewed.
 */
export async function checkReportFile({ format, file }: ReportTarget): Promise<void> {
  const found = await statOf(file);
  if (found === undefined) return checkFolder(file);
  if (found.isDirectory()) throw unwritable(file, 'it is a folder; name a file for the report');
  const start = found.isFile() ? await startOf(file) : undefined;
  if (start === undefined || !isEarlier[format](start))
    throw new ReviewLoopError(
      cliErrors.already_exists,
      `${file} exists and is not a report of the format ${format}; name another file for the report`,
      { value: file },
    );
  await checkFolder(file);
}

async function checkFolder(file: string): Promise<void> {
  let folder = dirname(file);
  let found = await statOf(folder);
  while (found === undefined && dirname(folder) !== folder) {
    folder = dirname(folder);
    found = await statOf(folder);
  }
  if (found?.isDirectory() !== true) throw unwritable(file, `${folder} is not a folder`);
  try {
    await access(folder, constants.W_OK);
  } catch (error) {
    throw unwritable(file, systemReason(error), error);
  }
}

async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw unwritable(path, systemReason(error), error);
  }
}

function unwritable(file: string, why: string, cause?: unknown): ReviewLoopError {
  return new ReviewLoopError(
    nodeErrors.output_unwritable,
    `cannot write the report ${file}: ${why}`,
    { cause, value: file },
  );
}

async function startOf(path: string): Promise<string | undefined> {
  try {
    const file = await open(path, 'r');
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(head), 0, head, 0);
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
}
