import { fileURLToPath } from 'node:url';
import { ReviewLoopError } from '../core/errors.js';
import { nodeErrors } from '../node/errors.js';
import { isThere } from '../node/files.js';

/**
 * A file of this package, looked for upward from the program's entry.
 *
 * @throws ReviewLoopError `file_unreadable`
 */
export async function packageFile(entry: URL, path: string): Promise<string> {
  for (const above of ['..', '../..']) {
    const candidate = fileURLToPath(new URL(`${above}/${path}`, new URL('.', entry)));
    if (await isThere(candidate)) return candidate;
  }
  throw new ReviewLoopError(nodeErrors.file_unreadable, `${path} is missing from the package`, {
    value: path,
  });
}
