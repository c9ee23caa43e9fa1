// A module that is not public, built for a measurement of itself.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { root } from './library.mjs';

/** Builds one source file with what it imports, packages outside, and gives its exports. */
export async function inner(source) {
  mkdirSync(join(root, 'bench/results'), { recursive: true });
  const outfile = join(root, `bench/results/inner-${process.pid}.mjs`);
  await build({
    entryPoints: [join(root, source)],
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'es2022',
    outfile,
    logLevel: 'error',
  });
  return import(pathToFileURL(outfile).href);
}
