import { readdirSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { rollup } from 'rollup';
import { binEntries, internalEntries, libraryEntries } from './entries.mjs';

const entries = Object.keys({ ...libraryEntries, ...binEntries, ...internalEntries });

/**
 * Puts the chunks that `.` loads at its start into one file. The bundler makes a chunk for each set of entry points
 * that share code; with forty of them an import of `.` read seventy files, which cost more than running them.
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
  const start = resolve('dist/index.js');
  await bundle.write({
    dir: 'dist',
    format: 'es',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    hoistTransitiveImports: false,
    manualChunks: (id, { getModuleInfo }) => {
      const loaded = new Set<string>();
      const open = [start];
      for (let path = open.pop(); path !== undefined; path = open.pop()) {
        if (loaded.has(path)) continue;
        loaded.add(path);
        open.push(...(getModuleInfo(path)?.importedIds ?? []));
      }
      return id !== start && loaded.has(id) ? 'core' : undefined;
    },
  });
  await bundle.close();
  const kept = new Set(entries.map((name) => `${name}.js`));
  for (const name of built) if (!kept.has(name)) rmSync(`dist/${name}`);
}
