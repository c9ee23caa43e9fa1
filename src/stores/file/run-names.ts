import { hash } from 'node:crypto';

/** Whether a text can be the id of a run. */
export function isRunId(runId: unknown): runId is string {
  return typeof runId === 'string' && /^[\w.:@-]{1,200}$/.test(runId);
}

/** Longest name that every file system takes, in bytes, with room left. */
const longest = 240;

/**
 * The folder name of a run: its id, with what some file system refuses as `%` and its code. An id whose name would be too
 * long has a hash for a name, and keeps itself in a file.
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

/** The id in a folder name; `undefined` when the name does not hold it. */
export function runIdOf(folderName: string): string | undefined {
  const runId = folderName.replaceAll(/%([0-9a-f]{2})/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  return isRunId(runId) && folderNameOf(runId) === folderName ? runId : undefined;
}

/** Whether a folder name is a hash, with the id in a file. */
export function isHashedName(folderName: string): boolean {
  return /^%~[0-9a-f]{64}$/.test(folderName);
}
