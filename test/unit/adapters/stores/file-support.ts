import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Journal, JournalRecord, Store } from '@/ports/store.js';
import { root } from '../../../architecture/repository.js';
import { afterFile } from '../../../support/after-file.js';

const folder = join(root, 'temp', 'file-store');

/** A new empty directory, gone after the test file. */
export function emptyDirectory(): string {
  mkdirSync(folder, { recursive: true });
  const directory = mkdtempSync(join(folder, 'directory-'));
  afterFile(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Where a new directory can be made. */
export function newDirectory(): string {
  return join(emptyDirectory(), 'store');
}

export function header(runId: string): JournalRecord {
  const run = { type: 'run', schema: 1, runId, pipeline: 'test', taskDigest: 'digest' } as const;
  return { ...run, task: { text: 'task' }, nonce: 'nonce', at: 1 };
}

export function step(name: string, value: unknown = null): JournalRecord {
  return { type: 'step', name, input: 'input', value, at: 2 };
}

export function end(status: string, at = 3): JournalRecord {
  return { type: 'end', status, code: status, at };
}

/** The methods of all open files, for a test to spy on. */
export async function fileHandles(): Promise<FileHandle> {
  const probe = await open(import.meta.filename);
  await probe.close();
  return Object.getPrototypeOf(probe);
}

/** A logger, and what it was warned of. */
export function warningLogger() {
  const warnings: object[] = [];
  const none = () => {};
  const warn = (fields: object) => void warnings.push(fields);
  return { warnings, logger: { debug: none, info: none, error: none, warn } };
}

/** Appends to a run and closes it. */
export async function record(
  store: Store,
  runId: string,
  records: readonly JournalRecord[],
): Promise<void> {
  const journal: Journal = await store.open(runId, true);
  try {
    for (const one of records) await journal.append(one);
  } finally {
    await journal.close();
  }
}

/** Every file below a folder but locks, with its content. */
export function filesIn(directory: string): Record<string, string> {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter(
    (name) => !/lock\.\d+$/.test(name) && statSync(join(directory, name)).isFile(),
  );
  return Object.fromEntries(
    names.sort().map((name) => [name, readFileSync(join(directory, name), 'latin1')]),
  );
}
