import { dirname, join, resolve } from 'node:path';
import { isThere, readSmallFile } from './files.js';

const mostManifestBytes = 1_000_000;

/**
 * The command needs no shell: it is the script of the package under this Node. The package is
 * looked for in a folder and in those above it.
 */
export async function packageProgram(
  folder: string,
  name: string,
): Promise<readonly string[] | undefined> {
  for (let at = resolve(folder), below = ''; at !== below; below = at, at = dirname(at)) {
    const place = join(at, 'node_modules', name);
    const manifest = await readSmallFile(join(place, 'package.json'), mostManifestBytes);
    const script = manifest === undefined ? undefined : scriptOf(manifest, name);
    if (script !== undefined) return [process.execPath, join(place, script)];
  }
  return undefined;
}

/** Returns the absolute path of a named file of a folder, else of the first that the folder has. */
export async function projectFile(
  folder: string,
  named: string | undefined,
  names: readonly string[],
): Promise<string | undefined> {
  if (named !== undefined) return resolve(folder, named);
  for (const name of names) if (await isThere(join(folder, name))) return resolve(folder, name);
  return undefined;
}

function scriptOf(manifest: string, name: string): string | undefined {
  try {
    const { bin } = JSON.parse(manifest) as { readonly bin?: unknown };
    const script: unknown = typeof bin === 'object' ? Reflect.get(Object(bin), name) : bin;
    return typeof script === 'string' ? script : undefined;
  } catch {
    return undefined;
  }
}
