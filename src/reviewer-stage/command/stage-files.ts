import { join } from 'node:path';
import { unreadableFile } from '../../node/file-errors.js';
import { insideFolder } from '../../node/safe-path.js';
import { readStoreFile } from '../../node/store-file.js';
import { writeInStore } from '../../node/store-folder.js';

export function runFolder(store: string, runId: string): string {
  return insideFolder(join(store, 'runs'), runId);
}

/**
 * Stores a summary beside its run, as JSON and as a Markdown page.
 *
 * @throws ReviewLoopError `output_unwritable`
 */
export async function saveSummaryFiles(
  store: string,
  runId: string,
  { json, page }: { readonly json: unknown; readonly page: string },
): Promise<void> {
  const folder = runFolder(store, runId);
  const text = `${JSON.stringify(json, null, 2)}\n`;
  await writeInStore(store, join(folder, 'summary.json'), text);
  await writeInStore(store, join(folder, 'summary.md'), page);
}

/**
 * Reads the data of a stored summary. The caller checks the data.
 *
 * @throws ReviewLoopError `file_unreadable`
 */
export async function readSummaryFile(folder: string): Promise<unknown> {
  const file = join(folder, 'summary.json');
  try {
    return JSON.parse(await readStoreFile(file));
  } catch (error) {
    throw unreadableFile(file, error);
  }
}
