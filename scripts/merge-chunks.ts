import { readdirSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { rollup } from 'rollup';
import { binEntries, internalEntries, libraryEntries } from './entries.mjs';

const entries = Object.keys({ ...libraryEntries, ...binEntries, ...internalEntries });

/**
 * Puts the chunks that `.` loads at its start into two files. The bundler makes a chunk for each set of entry points
 * that share code; with forty of them an import of `.` read seventy files, which cost more than running them. What the
 * command line needs before it knows its command is a file of its own, so that it starts without schemas.
 */
export async function mergeChunks(): Promise<void> {
  const bundle = await rollup({
    input: Object.fromEntries(entries.map((name) => [name, `dist/${name}.js`])),
    external: (id) => !id.startsWith('.') && !id.startsWith('/') && !id.startsWith('dist/'),
    treeshake: false,
    preserveEntrySignatures: 'strict',
    plugins: [{ name: 'optional-peers', renderChunk: inTry }],
  });
  const built = readdirSync('dist', { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.js'),
  );
  const start = resolve('dist/index.js');
  const program = resolve('dist/bin.js');
  let core: ReadonlySet<string> | undefined;
  let base: ReadonlySet<string> | undefined;
  await bundle.write({
    dir: 'dist',
    format: 'es',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    hoistTransitiveImports: false,
    manualChunks: (id, { getModuleInfo }) => {
      const importsOf = (path: string): readonly string[] => getModuleInfo(path)?.importedIds ?? [];
      core ??= loadedBy([start], importsOf);
      base ??= loadedBy(getModuleInfo(program)?.dynamicallyImportedIds ?? [], importsOf);
      if (id === start || !core.has(id)) return undefined;
      return base.has(id) ? 'base' : 'core';
    },
  });
  await bundle.close();
  const kept = new Set(entries.map((name) => `${name}.js`));
  for (const name of built) if (!kept.has(name)) rmSync(`dist/${name}`);
}

/** Puts imports of peers into a `try`: esbuild lets them be absent with their `catch`, webpack only there. */
function inTry(code: string): string {
  return code.replace(
    /(import\(['"][^'"]+['"]\))\.catch\((\w+)\)/g,
    '(async () => { try { return await $1; } catch (error) { return $2(error); } })()',
  );
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
