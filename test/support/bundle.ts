import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { bundled } from '../../scripts/bundled.cjs';
import { libraryEntries } from '../../scripts/entries.mjs';
import { isFresh } from '../../scripts/fresh-build.mjs';
import { esbuildReportShell } from '../../scripts/report-shell.mjs';
import { root } from '../architecture/repository.js';

// a program looks for files of the package as far above itself as from `src`
const folder = join(root, 'temp');
const prefix = 'bundle-';
const entries = Object.entries(libraryEntries).map(([entry, source]) => ({
  name: entry === 'index' ? 'reviewloop' : `reviewloop/${entry}`,
  source: `./${source}`,
  types: `dist/${entry}.d.ts`,
}));
const alias = {
  '@': './src',
  ...Object.fromEntries(entries.map(({ name, source }) => [name, source])),
};

/** Where a compiler finds the types of each entry point: in the package, if it is newer than the sources. */
export function packagePaths(): Readonly<Record<string, readonly string[]>> {
  const isBuilt = isFresh();
  return Object.fromEntries(
    entries.map(({ name, source, types }) => [name, [join(root, isBuilt ? types : source)]]),
  );
}
/** Longer than any run of the tests. */
const keptMs = 24 * 3_600_000;
/** How many bundles this process built: two of one name may be on their way. */
let built = 0;

/** What is bundled: a file of the repository, or a text that imports from its root. */
export type Program = { readonly file: string } | { readonly code: string };

/**
 * Bundles a program with the packages that the package bundles; again when a file changes.
 *
 * @param inlined - Further packages to bundle, for a program that runs without them.
 * @returns The path of the bundle.
 */
export async function bundle(
  program: Program,
  name: string,
  inlined: readonly string[] = [],
): Promise<string> {
  const made = join(folder, `${prefix}${name}-${digestOf(program, inlined)}`);
  const outfile = join(made, `${name}.mjs`);
  if (exists(outfile)) return outfile;
  mkdirSync(folder, { recursive: true });
  const input: BuildOptions =
    'file' in program
      ? { entryPoints: [{ in: program.file, out: name }] }
      : {
          stdin: {
            contents: program.code,
            loader: 'ts',
            resolveDir: root,
            sourcefile: `${name}.ts`,
          },
          entryNames: name,
        };
  built += 1;
  const own = join(folder, `${prefix}${name}-${process.pid}-${built}.tmp`);
  await build({
    absWorkingDir: root,
    ...input,
    outdir: own,
    outExtension: { '.js': '.mjs' },
    // a command loads a part of the command line; other programs need nearly all that they import
    splitting: 'file' in program && program.file.startsWith('src/faces/'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // jsonc-parser has a main file that cannot be bundled
    mainFields: ['module', 'main'],
    alias,
    logLevel: 'error',
    // a start reads the hundred files of zod in a fifth of its time, and tests start a thousand programs
    plugins: [
      esbuildReportShell,
      externalBut([...bundled, ...(inlined.length === 0 ? ['zod'] : inlined)]),
    ],
  });
  moveTo(own, made);
  forgetOld();
  return outfile;
}

/** Leaves every package out of a bundle but these. */
function externalBut(inlined: readonly string[]): Plugin {
  return {
    name: 'external-but',
    setup: ({ onResolve }) => {
      onResolve({ filter: /^[@\w]/ }, ({ path, kind }) => {
        const own = [...inlined, ...Object.keys(alias)];
        const within =
          kind === 'entry-point' ||
          own.some((each) => path === each || path.startsWith(`${each}/`));
        return within ? undefined : { path, external: true };
      });
    },
  };
}

/** Names, sizes and times of everything that a bundle may hold. */
function digestOf(program: Program, inlined: readonly string[]): string {
  const hash = createHash('sha256').update(JSON.stringify([program, inlined]));
  for (const below of [
    'src',
    'examples',
    'test/support',
    'test/resume',
    'test/system',
    'test/frameworks',
  ]) {
    for (const path of readdirSync(join(root, below), { recursive: true, encoding: 'utf8' })) {
      const { mtimeMs, size } = statSync(join(root, below, path));
      hash.update(`${below}/${path} ${mtimeMs} ${size}\n`);
    }
  }
  return hash.digest('hex').slice(0, 16);
}

/** Gives a finished folder its name, unless another process was first. */
function moveTo(own: string, made: string): void {
  try {
    renameSync(own, made);
  } catch (error) {
    if (!exists(made)) throw error;
    rmSync(own, { recursive: true });
  }
}

function forgetOld(): void {
  for (const name of readdirSync(folder).filter((one) => one.startsWith(prefix))) {
    const { mtimeMs } = statSync(join(folder, name), { throwIfNoEntry: false }) ?? {
      mtimeMs: Number.POSITIVE_INFINITY,
    };
    if (Date.now() - mtimeMs > keptMs) rmSync(join(folder, name), { force: true, recursive: true });
  }
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}
