import { open } from 'node:fs/promises';
import { ReviewLoopError } from '../../core/errors.js';
import { reportMark } from '../../reports/html/report-mark.js';
import { cliErrors } from '../errors.js';

/** How much of a file is read to see whose it is. */
const head = 2_000;

/**
 * Refuses to replace a file that is not a report, such as a file that was reviewed.
 *
 * @throws ReviewLoopError `already_exists`
 */
export async function refuseOtherFile(path: string): Promise<void> {
  const text = await startOf(path);
  if (text === undefined || text.includes(reportMark)) return;
  throw new ReviewLoopError(
    cliErrors.already_exists,
    `${path} exists and is not a report; name another file for the report`,
    { value: path },
  );
}

/** Returns the start of a file; `undefined` if the file is missing or unreadable. */
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
    // the write says why, if it cannot be written either
    return undefined;
  }
}
