/**
 * Who can remove the cause of an error:
 *
 * - `usage`: the caller, with other options, flags or ids
 * - `input`: the author of the files or data that were passed
 * - `judge`: a reviewer, a model, or the author of a verdict
 * - `environment`: the disk, the network, another process, or a limit that was reached
 * - `bug`: the author of the code that was plugged in, or of this library
 */
export type ErrorKind = 'usage' | 'input' | 'judge' | 'environment' | 'bug';

/** One error that can happen: its stable code, who can remove the cause, and how. */
export interface ErrorEntry<Code extends string = string> {
  readonly code: Code;
  readonly kind: ErrorKind;
  /** What to do, as a sentence. */
  readonly fix: string;
}

export type ErrorTable<Code extends string = string> = {
  readonly [Known in Code]: ErrorEntry<Known>;
};

export function errorTable<Code extends string>(
  entries: Readonly<Record<Code, Omit<ErrorEntry, 'code'>>>,
): ErrorTable<Code>;
export function errorTable(
  entries: Readonly<Record<string, Omit<ErrorEntry, 'code'>>>,
): ErrorTable {
  return Object.fromEntries(
    Object.entries(entries).map(([code, entry]) => [code, { code, ...entry }]),
  );
}
