import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tempFolder } from './temp-folder.js';

/** A folder with files, gone after the test. */
export function gateFolder(files: Readonly<Record<string, string | Buffer>> = {}): string {
  const folder = tempFolder('quality-gate');
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}
