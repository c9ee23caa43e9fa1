// A fresh build of the library, and a copy of it to measure.
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildIfNeeded } from '../../scripts/fresh-build.mjs';
import { root } from './library.mjs';

/** Makes dist fresh, and measures a copy of it, so that a build in between disturbs nothing. */
export function prepareDist() {
  if (process.env.BENCH_DIST !== undefined) return;
  buildIfNeeded();
  const copy = `bench/results/dist-${process.pid}`;
  mkdirSync(join(root, 'bench/results'), { recursive: true });
  cpSync(join(root, 'dist'), join(root, copy), { recursive: true });
  process.env.BENCH_DIST = copy;
  process.on('exit', () => rmSync(join(root, copy), { recursive: true, force: true }));
}
