import { build, type Metafile } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { coreErrors } from '@/core/core-errors.js';
import type { ErrorEntry } from '@/core/error-table.js';
import { errorCodes } from '@/errors.js';
import { bundleOf } from '../../scripts/bundle-size.mjs';
import { limits } from '../../scripts/house-limits.mjs';
import { esbuildReportShell } from '../../scripts/report-shell.mjs';
import { root } from './repository.js';

/** The packages and sources that files of `faces` load at once, without what they `import()` later. */
async function loadedBy(...names: readonly string[]): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: names.map((name) => `${root}src/faces/${name}.ts`),
    absWorkingDir: root,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    outdir: 'out',
    metafile: true,
    write: false,
    plugins: [esbuildReportShell],
  });
  const { outputs } = metafile;
  const seen = new Set<string>();
  const open = Object.keys(outputs).filter((file) =>
    names.some((name) => outputs[file]?.entryPoint === `src/faces/${name}.ts`),
  );
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    for (const { path, kind } of outputs[file]?.imports ?? [])
      if (kind === 'import-statement') open.push(path);
  }
  return [...seen].flatMap((file) => [file, ...Object.keys(outputs[file]?.inputs ?? {})]);
}

it('the command line starts without schemas, parsers and pipelines: commands are loaded when they run', async () => {
  const loaded = await loadedBy('cli/program');
  const later =
    /^(?:zod|yaml|lilconfig|diff|minisearch|css-tree|parse5|p-limit)$|src\/(?:engine|adapters\/stores|blocks\/criteria|faces\/(?:config|reports))\/|pipeline\/define/;
  expect(loaded).toContain('commander');
  expect(loaded.filter((name) => later.test(name))).toEqual([]);
});

it.each([
  'cli/review/file-run',
  'commands/reviewer-stage/stage-run',
  'commands/task-review/task-run',
])('an answer loads what %s needs: no other store, page, parser or prompt', async (kind) => {
  const loaded = await loadedBy('cli/runs/answer-run', 'cli-kit/open-store', kind);
  const later =
    /stores\/(?:sqlite|rows)\/|reports\/html\/|adapters\/providers|blocks\/address\/|criteria\/(?:html|css|plan)\/|reviewers\/judge\.ts/;
  expect(loaded.filter((name) => later.test(name))).toEqual([]);
  expect(loaded.filter((name) => name.startsWith('src/')).length).toBeLessThan(250);
});

// kB of definePipeline and criterion, minified and gzipped, zod outside: what loads in Node before any `import()` runs.
const ceiling = limits.coreKilobytes;

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

const core = `export { definePipeline, criterion } from './src/index.ts'`;

describe('the bundle of the core', () => {
  it(`of definePipeline and criterion stays under ${ceiling} kB`, async () => {
    const { kilobytes } = await bundleOf(core, root);
    console.log(
      `definePipeline + criterion: ${kilobytes.toFixed(2)} kB gzipped, zod outside (ceiling ${ceiling} kB)`,
    );
    expect(kilobytes).toBeLessThan(ceiling);
  });

  it('contains the fixes of its own errors, and of no other room', async () => {
    const { text } = await bundleOf(core, root);
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
      'uuid',
      'zod',
    ]);
  });
});
