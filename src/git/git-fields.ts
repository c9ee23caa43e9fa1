import { type GitPlace, gitError, runGit } from './git-command.js';

/**
 * Returns the fields of an output that ends them with NUL. Each character stands for one byte,
 * because names may not be UTF-8.
 *
 * @throws ReviewLoopError as `gitOutput`
 */
export async function gitFields(args: readonly string[], place: GitPlace): Promise<string[]> {
  const chunks: Uint8Array[] = [];
  const result = await runGit(args, { ...place, onOutput: (chunk) => void chunks.push(chunk) });
  if (result.exitCode !== 0) throw gitError(args, place, result);
  return Buffer.concat(chunks)
    .toString('latin1')
    .split('\0')
    .filter((field) => field !== '');
}

/** Returns the standard input of a command that reads fields which end with NUL. */
export function asInput(fields: Iterable<string>): Uint8Array {
  return Buffer.from([...fields].map((field) => `${field}\0`).join(''), 'latin1');
}

/** Returns the text of a name of which each character stands for one byte. */
export function nameText(name: string): string {
  return Buffer.from(name, 'latin1').toString('utf8');
}
