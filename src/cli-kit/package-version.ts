import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { packageFile } from './package-file.js';

/** The version of this package; `unknown` where it cannot be read. */
export async function versionOf(entry: URL): Promise<string> {
  try {
    const text = await readFile(await packageFile(entry, 'package.json'), 'utf8');
    return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
  } catch {
    return 'unknown';
  }
}
