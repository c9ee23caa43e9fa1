import { gzipSync } from 'node:zlib';
import { build, type Metafile } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { coreErrors } from '../../src/core/core-errors.js';
import type { ErrorEntry } from '../../src/core/error-table.js';
import { errorCodes } from '../../src/errors.js';
import { root } from './repository.js';

// kB of definePipeline and criterion, minified and gzipped, zod outside: what loads before any `import()` runs, in Node.
// The goal is 25. Raising it is a commit with its reason.
const ceiling = 31;

// what is imported inside the functions that need it
const loadedOnDemand = [
  'parse5',
  'css-tree',
  'jsonrepair',
  'tokenx',
  'diff',
  '@secretlint/secretlint-rule-preset-recommend',
  '@lezer/markdown',
  'minisearch',
];

async function bundle(contents: string): Promise<Metafile> {
  const result = await build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['import'],
    external: ['zod', 'node:*', ...loadedOnDemand],
    metafile: true,
    write: false,
  });
  return result.metafile;
}

/** The packages that are loaded with the entry, before any `import()` runs. */
function packagesLoaded({ inputs }: Metafile, entry: string): string[] {
  const seen = new Set<string>();
  const open = [entry];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    open.push(
      ...(inputs[file]?.imports ?? [])
        .filter(({ kind }) => kind !== 'dynamic-import')
        .map(({ path }) => path),
    );
  }
  const names = [...seen].map(
    (file) =>
      file.match(/node_modules\/((?:@[^/]+\/)?[^/]+)/)?.[1] ??
      (inputs[file] === undefined ? file : 'src'),
  );
  return [...new Set(names)].filter((name) => name !== 'src').sort();
}

/** The text of the chunks that are loaded before any `import()` runs. */
async function initialText(contents: string): Promise<string> {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    platform: 'node',
    mainFields: ['module', 'main'],
    conditions: ['node', 'import'],
    // as the condition `node` of `imports` in package.json has it
    alias: { '#hash': `${root}/src/core/no-portable-hash.ts` },
    external: ['zod', 'node:*'],
    outdir: 'out',
    metafile: true,
    write: false,
  });
  const { outputs } = metafile;
  const entry = Object.keys(outputs).find((path) => outputs[path]?.entryPoint === '<stdin>');
  const initial = new Set<string>();
  const open = [entry ?? ''];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const output = outputs[path];
    if (initial.has(path) || output === undefined) continue;
    initial.add(path);
    for (const { kind, path: next } of output.imports)
      if (kind === 'import-statement') open.push(next);
  }
  return outputFiles
    .filter(({ path }) => [...initial].some((one) => path.endsWith(one.replace(/^.*out\//, '/'))))
    .map(({ text }) => text)
    .join('\n');
}

const core = `
      export { definePipeline } from '../../src/pipeline/define-pipeline.js';
      export { criterion } from '../../src/reviewers/criterion.js';`;

describe('the bundle of the core', () => {
  it(`of definePipeline and criterion stays under ${ceiling} kB`, async () => {
    const text = await initialText(core);
    const kilobytes = gzipSync(text, { level: 9 }).length / 1000;
    console.log(
      `definePipeline + criterion: ${kilobytes.toFixed(2)} kB gzipped, zod outside (ceiling ${ceiling} kB)`,
    );
    expect(kilobytes).toBeLessThan(ceiling);
  });

  it('contains the fixes of its own errors, and of no other room', async () => {
    const text = await initialText(core);
    const fixes = (table: Readonly<Record<string, ErrorEntry>>) =>
      Object.values(table).map(({ fix }) => fix);
    const contained = new Set(fixes(errorCodes).filter((fix) => text.includes(fix)));
    expect([...contained].sort()).toEqual(fixes(coreErrors).sort());
  });

  it('of everything public needs no node: module', async () => {
    const metafile = await bundle(`export * from './src/index.ts'`);
    const builtins = Object.entries(metafile.inputs).flatMap(([file, { imports }]) =>
      imports
        .filter(({ path }) => path.startsWith('node:'))
        .map(({ path }) => `${file} -> ${path}`),
    );
    expect(builtins).toEqual([]);
  });

  it('of everything public loads only the small packages', async () => {
    const metafile = await bundle(`export * from './src/index.ts'`);
    expect(packagesLoaded(metafile, '<stdin>')).toEqual([
      '@noble/hashes',
      'eventemitter3',
      'p-limit',
      'uuid',
      'yocto-queue',
      'zod',
    ]);
  });
});
