import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { root } from '../architecture/repository.js';
import { bundle, type Program } from '../support/bundle.js';

/** What a program printed. */
export interface Printed {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Bundles a program that imports `reviewloop` with the sources, and runs it. */
export async function runBundled(
  program: Program,
  name: string,
  nodeOptions: readonly string[] = [],
): Promise<Printed> {
  const outfile = await bundle(program, name);
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...nodeOptions, outfile], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const read = { out: '', err: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (read.out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (read.err += text));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, ...read }));
  });
}

export function scratchFile(name: string, content: string): string {
  mkdirSync(`${root}temp/examples`, { recursive: true });
  const path = `${root}temp/examples/${process.pid}-${name}`;
  writeFileSync(path, content);
  return path;
}
