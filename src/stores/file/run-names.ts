import { hash } from 'node:crypto';

/** Returns whether a value is a valid run id. */
export function isRunId(runId: unknown): runId is string {
  return typeof runId === 'string' && /^[\w.:@-]{1,200}$/.test(runId);
}

/** Longest folder name in bytes; below the 255 that file systems allow. */
const longest = 240;

/**
 * Returns the folder name of a run: its id, with `%` and a code for characters that some file
 * system refuses. If that is too long, the name is a hash, and a file contains the id.
 */
export function folderNameOf(runId: string): string {
  const name = runId
    .replaceAll(':', '%3a')
    .replace(/\.$/, '%2e')
    .replace(
      /^(?=(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$))./i,
      (first) => `%${first.charCodeAt(0).toString(16)}`,
    );
  return name.length <= longest ? name : `%~${hash('sha256', runId)}`;
}

/** Returns the id in a folder name; `undefined` if the name does not contain one. */
export function runIdOf(folderName: string): string | undefined {
  const runId = folderName.replaceAll(/%([0-9a-f]{2})/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  return isRunId(runId) && folderNameOf(runId) === folderName ? runId : undefined;
}

/** Returns whether a folder name is a hash, with the id in a file. */
export function isHashedName(folderName: string): boolean {
  return /^%~[0-9a-f]{64}$/.test(folderName);
}
