import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, ReviewLoopError } from '../../core/errors.js';
import { nodeErrors } from '../../node/errors.js';
import { makeFolder, writeFileAtomic } from '../../node/files.js';
import { insideFolder } from '../../node/safe-path.js';

/** The folder of a run. */
export function runFolder(store: string, runId: string): string {
  return insideFolder(join(store, 'runs'), runId);
}

/**
 * Keeps a summary with its run, as JSON and as a page.
 *
 * @throws ReviewLoopError `output_unwritable`
 */
export async function saveSummaryFiles(
  folder: string,
  { json, page }: { readonly json: unknown; readonly page: string },
): Promise<void> {
  await makeFolder(folder);
  await writeFileAtomic(join(folder, 'summary.json'), `${JSON.stringify(json, null, 2)}\n`);
  await writeFileAtomic(join(folder, 'summary.md'), page);
}

/**
 * The data of a kept summary, which the caller checks.
 *
 * @throws ReviewLoopError `file_unreadable`
 */
export async function readSummaryFile(folder: string): Promise<unknown> {
  const file = join(folder, 'summary.json');
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new ReviewLoopError(
      nodeErrors.file_unreadable,
      `${file} cannot be read: ${messageOf(error)}`,
      {
        cause: error,
        value: file,
      },
    );
  }
}
