import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, it } from 'vitest';
import { bundled } from '../../scripts/bundled.cjs';
import { frameworksFolder, isInstalled } from '../../scripts/frameworks.mjs';
import tsconfig from '../../tsconfig.json' with { type: 'json' };
import { root } from '../architecture/repository.js';
import { bundle, packagePaths } from './bundle.js';

/** A set of packages of scripts/frameworks.mjs, as a test uses it. */
export interface Framework {
  readonly name: string;
  /** Where the set is installed. */
  readonly folder: string;
  /** Imports a package, or a subpath of one, as a file in the folder would. */
  readonly load: (specifier: string) => Promise<Record<string, unknown>>;
  /**
   * Runs a TypeScript file of the repository in the folder, with the sources of `reviewloop` bundled in, and gives what
   * it prints.
   */
  readonly run: (file: string, args?: readonly string[]) => Promise<Ran>;
  /** Returns what the TypeScript compiler finds in files of the repository, strict, with the packages of the set. */
  readonly typeErrors: (files: readonly string[]) => string;
}

/** How a program ended, and what it printed. */
export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/**
 * A suite over the real packages of a set: skipped, visibly, without them; failing when REVIEWLOOP_REQUIRE names
 * `frameworks`.
 */
export function describeFramework(name: string, suite: (framework: Framework) => void): void {
  const title = `the real ${name}`;
  if (isInstalled(name)) describe(title, () => suite(frameworkOf(name)));
  else if ((process.env['REVIEWLOOP_REQUIRE'] ?? '').split(',').includes('frameworks'))
    it(`${title} is required`, () => {
      throw new Error(`${name} is not in ${frameworksFolder}; run scripts/install-frameworks.mjs`);
    });
  else
    it.skip(`${title} (skipped: not installed, run scripts/install-frameworks.mjs)`, () =>
      undefined);
}

function frameworkOf(name: string): Framework {
  const folder = join(frameworksFolder, name);
  // below node_modules, so that Node imports it and not vitest, which would give every set the packages of the first one
  const loader = join(folder, 'node_modules/.reviewloop/load.mjs');
  mkdirSync(dirname(loader), { recursive: true });
  writeFileSync(loader, 'export const load = (specifier) => import(specifier);\n');
  return {
    name,
    folder,
    load: async (specifier) => {
      const module = await import(pathToFileURL(loader).href);
      return module.load(specifier);
    },
    run: (file, args = []) => runIn(folder, file, args),
    typeErrors: (files) => typeErrorsIn(folder, files),
  };
}

async function runIn(folder: string, file: string, args: readonly string[]): Promise<Ran> {
  const made = await bundle({ file: join(root, file) }, basename(file, '.ts'), bundled);
  const program = join(folder, `${process.pid}-${basename(made)}`);
  copyFileSync(made, program);
  try {
    return await new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [program, ...args], {
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const read = { out: '', err: '' };
      child.stdout.setEncoding('utf8').on('data', (text: string) => (read.out += text));
      child.stderr.setEncoding('utf8').on('data', (text: string) => (read.err += text));
      child.on('error', reject);
      child.on('close', (code) => resolve({ code, ...read }));
    });
  } finally {
    rmSync(program, { force: true });
  }
}

function typeErrorsIn(folder: string, files: readonly string[]): string {
  const place = join(folder, `types-${process.pid}`);
  mkdirSync(place, { recursive: true });
  try {
    for (const file of files) copyFileSync(join(root, file), join(place, basename(file)));
    const options = {
      ...tsconfig.compilerOptions,
      paths: packagePaths(),
      // the types of other makers are not ours to check
      skipLibCheck: true,
      typeRoots: [join(root, 'node_modules/@types')],
    };
    const config = join(place, 'tsconfig.json');
    writeFileSync(config, JSON.stringify({ compilerOptions: options, include: ['*.ts'] }));
    const tsc = join(root, 'node_modules/typescript7/bin/tsc');
    const { stdout, stderr } = spawnSync(process.execPath, [tsc, '-p', config], {
      encoding: 'utf8',
    });
    return `${stdout}${stderr}`;
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}
