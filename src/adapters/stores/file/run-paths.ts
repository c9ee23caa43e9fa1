import { hash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isThere } from '../../../node/files.js';
import { isRunId } from '../../../ports/run-id.js';

export interface RunPaths {
  readonly folder: string;
  readonly journal: string;
  readonly blobs: string;
  readonly id: string;
  /** The number and hash of the last record of the audit log that is about the run. */
  readonly mark: string;
}

export function runsFolder(directory: string): string {
  return join(directory, 'runs');
}

export async function pathsOf(directory: string, runId: string): Promise<RunPaths> {
  const runs = runsFolder(directory);
  const [name, earlier] = [folderNameOf(runId), earlierNameOf(runId)];
  const hasMoved = name !== earlier && (await isThere(join(runs, earlier)));
  // only the list of the folder shows the case of a name
  const isEarlier = hasMoved && (await readdir(runs)).includes(earlier);
  return pathsIn(join(runs, isEarlier ? earlier : name));
}

export function pathsIn(folder: string): RunPaths {
  return {
    folder,
    journal: join(folder, 'journal.jsonl'),
    blobs: join(folder, 'blobs'),
    id: join(folder, 'run-id'),
    mark: join(folder, 'audit.json'),
  };
}

/** Longest folder name in bytes; below the 255 that file systems allow. */
const longest = 240;

/**
 * Its id, with `%` and a code for capital letters and for characters that some file system refuses.
 * So ids that differ by case have different folders, also where the file system ignores case. If
 * that is too long, the name is a hash, and a file contains the id.
 */
export function folderNameOf(runId: string): string {
  const name = earlierName(runId).replaceAll(/[A-Z]/g, codeOf);
  return name.length <= longest ? name : hashedName(runId);
}

/** Earlier versions kept capital letters. */
function earlierNameOf(runId: string): string {
  const name = earlierName(runId);
  return name.length <= longest ? name : hashedName(runId);
}

function earlierName(runId: string): string {
  return runId
    .replaceAll(':', '%3a')
    .replace(/\.$/, '%2e')
    .replace(/^(?=(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$))./i, codeOf);
}

function codeOf(character: string): string {
  return `%${character.charCodeAt(0).toString(16)}`;
}

function hashedName(runId: string): string {
  return `%~${hash('sha256', runId)}`;
}

export function runIdOf(folderName: string): string | undefined {
  const runId = folderName.replaceAll(/%([0-9a-f]{2})/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  if (!isRunId(runId)) return undefined;
  return [folderNameOf(runId), earlierNameOf(runId)].includes(folderName) ? runId : undefined;
}

export function isHashedName(folderName: string): boolean {
  return /^%~[0-9a-f]{64}$/.test(folderName);
}

/** The lock has a separate folder, because a locked file must never be renamed. */
export function auditPathsOf(directory: string): Record<'log' | 'lock', string> {
  return { log: join(directory, 'audit.jsonl'), lock: join(directory, 'audit.lock') };
}
