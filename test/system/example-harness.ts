import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';
import { libraryEntries } from '../../scripts/entries.js';
import { root } from '../architecture/repository.js';

const alias = Object.fromEntries(Object.entries(libraryEntries).map(([entry, source]) => [entry === 'index' ? 'reviewloop' : `reviewloop/${entry}`, `./${source}`]));

/** What a program printed. */
export interface Printed {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Bundles a program that imports `reviewloop` with the sources, and runs it. */
export async function runBundled(program: { readonly file: string } | { readonly code: string }, name: string, nodeOptions: readonly string[] = []): Promise<Printed> {
  const outfile = `${root}temp/examples/${name}-${process.pid}.mjs`;
  const input = 'file' in program ? { entryPoints: [program.file] } : { stdin: { contents: program.code, loader: 'ts' as const, resolveDir: root, sourcefile: `${name}.ts` } };
  await build({ absWorkingDir: root, ...input, outfile, bundle: true, format: 'esm', platform: 'node', target: 'node20', packages: 'external', alias, logLevel: 'error' });
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...nodeOptions, outfile], { stdio: ['ignore', 'pipe', 'pipe'] });
    const read = { out: '', err: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (read.out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (read.err += text));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, ...read }));
  });
}

/** Writes a file that a test needs, and gives its path. */
export function scratchFile(name: string, content: string): string {
  mkdirSync(`${root}temp/examples`, { recursive: true });
  const path = `${root}temp/examples/${process.pid}-${name}`;
  writeFileSync(path, content);
  return path;
}
