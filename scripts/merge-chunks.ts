import { readdirSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { rollup } from 'rollup';
import { binEntries, internalEntries, libraryEntries } from './entries.mjs';

const entries = Object.keys({ ...libraryEntries, ...binEntries, ...internalEntries });

/**
 * Puts the chunks that `.` loads at its start into two files. The bundler makes a chunk for each set of entry points
 * that share code, and takes every `import()` for one; with hundreds of them an import of `.` read seventy files, which
 * cost more than running them. What the command line needs before it knows its command is a file of its own, so that
 * it starts without schemas. The other chunks are merged if the same entry points and commands need them; what a
 * review needs is not divided by commands that need most of it too.
 */
export async function mergeChunks(): Promise<void> {
  const bundle = await rollup({
    input: Object.fromEntries(entries.map((name) => [name, `dist/${name}.js`])),
    external: (id) => !id.startsWith('.') && !id.startsWith('/') && !id.startsWith('dist/'),
    treeshake: false,
    preserveEntrySignatures: 'strict',
  });
  const built = readdirSync('dist', { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.js'),
  );
  let groups: Map<string, string> | undefined;
  await bundle.write({
    dir: 'dist',
    format: 'es',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    hoistTransitiveImports: false,
    manualChunks: (id, { getModuleInfo, getModuleIds }) => {
      const importsOf = (path: string): readonly string[] => getModuleInfo(path)?.importedIds ?? [];
      const lazyOf = (path: string): readonly string[] =>
        getModuleInfo(path)?.dynamicallyImportedIds ?? [];
      groups ??= groupsOf([...getModuleIds()], importsOf, lazyOf);
      return groups.get(id);
    },
  });
  await bundle.close();
  const kept = new Set(entries.map((name) => `${name}.js`));
  for (const name of built) if (!kept.has(name)) rmSync(`dist/${name}`);
}

/** Returns the modules that some modules load before they run, themselves included. */
function loadedBy(
  from: readonly string[],
  importsOf: (path: string) => readonly string[],
): ReadonlySet<string> {
  const loaded = new Set<string>();
  const open = [...from];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (loaded.has(path)) continue;
    loaded.add(path);
    open.push(...importsOf(path));
  }
  return loaded;
}

type Follow = (path: string) => readonly string[];

/** What the entry points of the package and the commands load before they run. */
class Loads {
  readonly core: ReadonlySet<string>;
  readonly base: ReadonlySet<string>;
  readonly #follow: Follow;
  readonly #library: readonly ReadonlySet<string>[];
  readonly #commands: readonly ReadonlySet<string>[];
  readonly #review: ReadonlySet<string>;
  readonly #hook: ReadonlySet<string>;

  constructor(follow: Follow, lazyOf: Follow) {
    this.#follow = follow;
    this.core = loadedBy([builtAt('index')], follow);
    this.base = loadedBy(lazyOf(builtAt('bin')), follow);
    const commands = [...new Set([...this.base].flatMap(lazyOf))];
    this.#library = this.#each(Object.keys(libraryEntries).map(builtAt));
    this.#commands = this.#each(commands);
    const named = (part: string): ReadonlySet<string> =>
      loadedBy(
        commands.filter((path) => path.includes(part)),
        follow,
      );
    this.#review = named('/run-review-');
    this.#hook = named('/run-hook-');
  }

  /** Returns a text that is equal for modules which are loaded together. */
  keyOf(id: string): string {
    const users = usersOf(id, this.#library);
    if (this.base.has(id)) return users === '' ? 'program' : 'start';
    if (!this.#review.has(id)) return `${users} ${usersOf(id, this.#commands)}`.trim();
    const small = this.#commands.filter((loaded) => loaded.size < this.#review.size / 2);
    return `review ${users} ${users === '' ? usersOf(id, small) : this.#hook.has(id)}`;
  }

  #each(paths: readonly string[]): ReadonlySet<string>[] {
    return paths.map((path) => loadedBy([path], this.#follow));
  }
}

/** Returns the numbers of the sets that contain a module. */
function usersOf(id: string, loads: readonly ReadonlySet<string>[]): string {
  return loads.flatMap((loaded, index) => (loaded.has(id) ? [index] : [])).join();
}

function builtAt(name: string): string {
  return resolve(`dist/${name}.js`);
}

/** Returns the names of the files into which modules are merged, by module. */
function groupsOf(ids: readonly string[], follow: Follow, lazyOf: Follow): Map<string, string> {
  const loads = new Loads(follow, lazyOf);
  const { core, base } = loads;
  const alone = new Set([...ids.flatMap(lazyOf), ...entries.map(builtAt)]);
  const parts = new Map<string, string>();
  const groups = new Map<string, string>();
  for (const id of core)
    if (id !== builtAt('index')) groups.set(id, base.has(id) ? 'base' : 'core');
  for (const id of ids.filter((one) => !core.has(one) && !alone.has(one))) {
    const key = loads.keyOf(id);
    if (key === '') continue;
    const part = parts.get(key) ?? `part-${parts.size}`;
    parts.set(key, part);
    groups.set(id, part);
  }
  return groups;
}
