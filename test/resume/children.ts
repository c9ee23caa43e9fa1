import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll } from 'vitest';
import { root } from '../architecture/repository.js';
import { bundle } from '../support/bundle.js';

const base = join(root, 'temp', 'resume');
mkdirSync(base, { recursive: true });
const own = mkdtempSync(join(base, 'test-'));
const children = new Set<ChildProcess>();
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(own, { recursive: true, force: true });
});

/** A new empty folder. */
export function newFolder(): string {
  // test files that share a process share this module, and the first of them removes the folder at its end
  mkdirSync(own, { recursive: true });
  return mkdtempSync(join(own, 'folder-'));
}

export async function bundled(name: string): Promise<string> {
  return bundle({ file: `test/resume/${name}.ts` }, name);
}

/** A process that prints lines. */
export interface Child {
  readonly process: ChildProcess;
  /** The next line; `undefined` once there is none. */
  readonly line: () => Promise<string | undefined>;
  readonly send: (value: unknown) => void;
  /** Sends, and gives what it answers. */
  readonly ask: (value: unknown) => Promise<unknown>;
  /** How it ended. */
  readonly exit: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  readonly kill: () => Promise<void>;
}

/** Starts a bundled program, through a shell line when one is given, in which `"$@"` is the program. */
export function start(program: string, args: readonly string[], shell?: string): Child {
  const argv = [process.execPath, program, ...args];
  const [command, ...rest] = shell === undefined ? argv : ['bash', '-c', shell, 'bash', ...argv];
  const child = spawn(command!, rest, { stdio: ['pipe', 'pipe', 'inherit'] });
  children.add(child);
  child.stdin.on('error', () => {});
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async (): Promise<string | undefined> => {
    const next = await lines.next();
    return next.done === true ? undefined : String(next.value);
  };
  const exit = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.on('close', (code, signal) => {
      children.delete(child);
      resolve({ code, signal });
    });
  });
  const send = (value: unknown): void => void child.stdin.write(`${JSON.stringify(value)}\n`);
  return {
    process: child,
    line,
    send,
    ask: async (value) => {
      send(value);
      return JSON.parse((await line()) ?? '"ended"') as unknown;
    },
    exit,
    kill: async () => {
      child.kill('SIGKILL');
      await exit;
    },
  };
}
