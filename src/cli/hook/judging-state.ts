import { readdir, readFile, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { mapBounded } from '../../core/map-bounded.js';
import { digestOfBytes, isThere } from '../../node/files.js';

/** The largest file whose content is compared, in bytes; of others, the size and the time. */
const mostBytes = 10_000_000;

/** Returns a text that is equal while a file stays the same; `undefined` if there is no file. */
export async function judgingState(path: string): Promise<string | undefined> {
  try {
    const { size, mtimeMs, mode } = await stat(path);
    if ((mode & 0o170000) !== 0o100000) return undefined;
    if (size > mostBytes) return `${size} ${mtimeMs}`;
    const bytes = await readFile(path);
    return digestOfBytes(isAgentSettings(path) ? hooksIn(bytes.toString('utf8')) : bytes);
  } catch (error) {
    const missing = ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'];
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    return missing.includes(code) || code === '' ? undefined : code;
  }
}

function isAgentSettings(path: string): boolean {
  return /\/\.(?:claude|gemini)\/settings(?:\.local)?\.json$/.test(path);
}

/** Agents store more in their settings, such as what a person allowed; only hooks count. */
function hooksIn(text: string): string {
  try {
    const given: unknown = JSON.parse(text);
    const entries = typeof given === 'object' && given !== null ? Object.entries(given) : [];
    return JSON.stringify(entries.filter(([name]) => /hook/i.test(name)));
  } catch {
    return text;
  }
}

/** Whether a file is a module, whose imports are followed. */
export function isCode(path: string): boolean {
  return /\.[cm]?[jt]s$/.test(path);
}

export async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

export async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

/** Returns the nearest folder with a package.json at or above a folder; else the folder. */
export async function packageFolder(folder: string): Promise<string> {
  for (let place = folder; ; place = dirname(place)) {
    if (await isThere(join(place, 'package.json'))) return place;
    if (dirname(place) === place) return folder;
  }
}

const endings = ['', '.js', '.mjs', '.cjs', '.ts', '.mts', '.json', '/index.js', '/index.ts'];

/** Returns the files that the words of a module may import. */
export async function importedFiles(module: string, words: readonly string[]): Promise<string[]> {
  const found = await mapBounded(words, 32, async (word) => {
    if (!/^\.{1,2}\//.test(word)) return packageFiles(module, word);
    const path = resolve(dirname(module), word);
    return endings
      .flatMap((ending) => [`${path}${ending}`, path.replace(/\.([cm]?)js$/, `.$1ts`)])
      .filter((one, index, all) => all.indexOf(one) === index);
  });
  return found.flat();
}

/** Returns the entry of a package, if a word names one that is installed. */
async function packageFiles(module: string, word: string): Promise<string[]> {
  const [name] = /^(?:@[\w.-]+\/)?[\w.-]+(?=\/|$)/.exec(word) ?? [];
  if (name === undefined) return [];
  for (let place = dirname(module); ; place = dirname(place)) {
    const manifest = join(place, 'node_modules', name, 'package.json');
    if (await isThere(manifest)) return [manifest, ...resolved(module, word)];
    if (dirname(place) === place) return [];
  }
}

function resolved(module: string, word: string): string[] {
  try {
    return [createRequire(module).resolve(word)];
  } catch {
    return [];
  }
}
