import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { ReviewLoopError } from '../../core/errors.js';
import { nodeErrors } from '../../node/errors.js';
import { isThere } from '../../node/files.js';

export async function packageFile(entry: URL, path: string): Promise<string> {
  for (const above of ['..', '../..', '../../..']) {
    const candidate = fileURLToPath(new URL(`${above}/${path}`, new URL('.', entry)));
    if (await isThere(candidate)) return candidate;
  }
  throw new ReviewLoopError(nodeErrors.file_unreadable, `${path} is missing from the package`, {
    value: path,
  });
}

/** `unknown` if it cannot be read. */
export async function versionOf(entry: URL): Promise<string> {
  try {
    const found: unknown = JSON.parse(
      await readFile(await packageFile(entry, 'package.json'), 'utf8'),
    );
    return isVersioned(found) ? found.version : 'unknown';
  } catch {
    return 'unknown';
  }
}

function isVersioned(value: unknown): value is { readonly version: string } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'version' in value &&
    typeof value.version === 'string'
  );
}
