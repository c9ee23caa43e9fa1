import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { esbuildReportShell } from '../../scripts/report-shell.mjs';
import { root } from './repository.js';

/** The packages and sources that are loaded before any command runs. */
async function loadedAtStart(): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: [`${root}src/cli/program.ts`],
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
    outputs[file]?.entryPoint?.endsWith('program.ts'),
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
  const loaded = await loadedAtStart();
  expect(loaded).toContain('commander');
  expect(
    loaded.filter((name) =>
      /^(zod|yaml|lilconfig|diff|minisearch|css-tree|parse5|p-limit)$/.test(name),
    ),
  ).toEqual([]);
  expect(
    loaded.filter((name) =>
      /src\/(engine|config|stores|criteria|reports)\/|pipeline\/define/.test(name),
    ),
  ).toEqual([]);
});
