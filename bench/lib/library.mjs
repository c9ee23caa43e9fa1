// The built library under measurement; BENCH_DIST names another build of it, to compare two.
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));
export const dist = resolve(root, process.env.BENCH_DIST ?? 'dist');

/** An entry of it; the core without a name. */
export const library = (entry = 'index') => import(pathToFileURL(`${dist}/${entry}.js`).href);

/** What the simulation of trust needs, from the entries that have it. */
export const trustLibrary = async () =>
  Object.assign(
    {},
    ...(await Promise.all(['index', 'reviewers', 'ports', 'calibration'].map(library))),
  );

export const contender = async (name) => (await import(`../contenders/${name}.mjs`)).makeLoop;
