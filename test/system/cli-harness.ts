import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { bundle } from '../support/bundle.js';

/** The program. */
export const bin = await bundle({ file: 'src/faces/cli/bin.ts' }, 'bin');

/** What a process did. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

export function start(
  cwd: string,
  argv: readonly string[],
  options: SpawnOptions = {},
): { readonly child: ChildProcess; readonly exit: Promise<Exit> } {
  const child = spawn(process.execPath, [bin, ...argv], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options,
  });
  const read = { out: '', err: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (read.out += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (read.err += text));
  const exit = new Promise<Exit>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, ...read }));
  });
  return { child, exit };
}

export function run(
  cwd: string,
  argv: readonly string[],
  options: SpawnOptions = {},
): Promise<Exit> {
  return start(cwd, argv, options).exit;
}

/** Runs a shell line in which `reviewloop` is the program. */
export function shell(cwd: string, line: string): Promise<Exit> {
  const child = spawn(
    'bash',
    ['-c', `reviewloop() { "${process.execPath}" "${bin}" "$@"; }; ${line}`],
    { cwd, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const read = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (read.out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (read.err += text));
  return new Promise(
    (resolve) => void child.on('close', (code, signal) => resolve({ code, signal, ...read })),
  );
}
