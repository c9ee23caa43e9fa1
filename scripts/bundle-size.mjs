import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

/** Packages that are loaded inside the functions that need them, never with the core. */
export const loadedOnDemand = [
  '@cucumber/gherkin',
  '@lezer/markdown',
  '@secretlint/secretlint-rule-preset-recommend',
  'css-tree',
  'diff',
  'jsonrepair',
  'minisearch',
  'parse5',
  'tokenx',
];

/**
 * Bundles a module as an application would, with zod outside, and measures what is loaded at its start: kilobytes,
 * minified and gzipped, without what `import()` brings later.
 *
 * @param {string} contents
 * @param {string} resolveDir
 */
export async function bundleOf(contents, resolveDir) {
  const result = await build({
    stdin: { contents, resolveDir, loader: 'ts', sourcefile: 'entry.ts' },
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['node', 'import'],
    external: ['zod', 'node:*', ...loadedOnDemand],
    metafile: true,
    write: false,
    logLevel: 'silent',
    outdir: 'out',
  });
  const { outputs } = result.metafile;
  const initial = new Set();
  const open = Object.keys(outputs).filter(
    (file) =>
      outputs[file].entryPoint !== undefined && /stdin|entry/.test(outputs[file].entryPoint),
  );
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (initial.has(file) || outputs[file] === undefined) continue;
    initial.add(file);
    open.push(
      ...outputs[file].imports
        .filter(({ kind }) => kind !== 'dynamic-import')
        .map(({ path }) => path),
    );
  }
  const texts = result.outputFiles.filter(({ path }) =>
    [...initial].some((file) => path.endsWith(file)),
  );
  const bytes = texts.reduce((sum, { text }) => sum + gzipSync(text, { level: 9 }).length, 0);
  return { kilobytes: bytes / 1000, metafile: result.metafile };
}
