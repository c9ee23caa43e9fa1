import { type ChildProcess, spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { bundled } from '../../scripts/bundled.cjs';
import { root } from '../architecture/repository.js';
import { afterFile } from './after-file.js';
import { bundle } from './bundle.js';

/** A line that a process of a test wrote. */
export interface Note {
  readonly event: string;
  readonly run?: string;
  readonly step?: string;
  readonly pid: number;
  readonly at: number;
}

/** The processes of a test that share a store and the books of what was paid. */
export interface Machines {
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  /** What the processes wrote down. */
  readonly notes: () => readonly Note[];
  /** Starts a worker, and resolves when it is up. */
  readonly start: (environment?: NodeJS.ProcessEnv) => Promise<ChildProcess>;
}

/** Where programs run: in the folder of a set of packages, on this Node or another one. */
interface Place {
  /** The program, a file of the repository. */
  readonly program: string;
  readonly folder: string;
  readonly node?: string;
  readonly environment?: NodeJS.ProcessEnv;
}

/** Packages that become part of a program: the folder of a set does not have them. */
const inlined = [...bundled, 'ansi-regex'];

export async function machines({
  program,
  folder: set,
  node = process.execPath,
  environment = {},
}: Place): Promise<Machines> {
  const made = await bundle({ file: join(root, program) }, basename(program, '.ts'), inlined);
  const file = join(set, `${process.pid}-${basename(made)}`);
  copyFileSync(made, file);
  const folder = mkdtempSync(join(tmpdir(), 'reviewloop-machines-'));
  const books = join(folder, 'books.jsonl');
  const children = new Set<ChildProcess>();
  afterFile(() => {
    for (const child of children) child.kill('SIGKILL');
  });
  const all = { ...process.env, BOOKS: books, ...environment };
  const notes = (): readonly Note[] =>
    existsSync(books)
      ? readFileSync(books, 'utf8')
          .split('\n')
          // a worker may be writing what stands behind the last end of a line
          .slice(0, -1)
          .map((line) => JSON.parse(line) as Note)
      : [];
  return {
    folder,
    environment: all,
    notes,
    start: async (own = {}) => {
      const child = spawn(node, [file], {
        stdio: ['ignore', 'ignore', 'pipe'],
        env: { ...all, ...own },
      });
      children.add(child);
      let said = '';
      child.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text));
      const isUp = (): boolean =>
        notes().some(({ event, pid }) => event === 'up' && pid === child.pid);
      await eventually(() => {
        if (child.exitCode !== null) throw new Error(`the worker ended: ${said}`);
        return isUp();
      });
      return child;
    },
  };
}

/** Resolves when something is true. @throws after a time */
export async function eventually(
  what: () => boolean | Promise<boolean>,
  ms = 280_000,
): Promise<void> {
  const latest = Date.now() + ms;
  while (!(await what())) {
    if (Date.now() > latest) throw new Error(`not within ${ms} ms: ${String(what)}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/** Resolves when a process has ended. */
export function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => child.once('exit', () => resolve()));
}

/** What was paid, by run and step: how often each call began. */
export function paidCalls(notes: readonly Note[]): ReadonlyMap<string, number> {
  const paid = new Map<string, number>();
  for (const { event, run, step } of notes)
    if (event === 'start') paid.set(`${run} ${step}`, (paid.get(`${run} ${step}`) ?? 0) + 1);
  return paid;
}
