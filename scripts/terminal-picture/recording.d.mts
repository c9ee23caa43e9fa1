/** The columns of the recorded terminal. */
export const columns: number;
/** Records the review: all bytes, and those before the last judge has answered. */
export function record(
  program: string,
  paceMs: number,
): Promise<{ readonly whole: string; readonly during: string }>;
/** Returns what a recording says, whatever its times and ids. */
export function saidBy(lines: readonly string[]): string;
