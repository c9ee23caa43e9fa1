import { isReviewError, messageOf } from '../../core/errors.js';
import { runProcess } from '../../node/process.js';
import { redactSecrets } from '../../redact/secrets.js';
import { sanitise } from '../../terminal/sanitise.js';
import type { CompletedWork } from '../completed-work.js';

/** The place where commands of the configuration run. */
export interface CommandPlace {
  readonly cwd: string;
  readonly signal: AbortSignal;
}

const verificationMs = 600_000;
const mostCharacters = 4000;

/** Runs commands one after another. Each is a verification, which passes with exit code 0. */
export async function verifyWork(
  commands: readonly (string | readonly string[])[],
  place: CommandPlace,
): Promise<CompletedWork['verificationResults']> {
  const results: CompletedWork['verificationResults'] = [];
  for (const command of commands) results.push(await verified(command, place));
  return results;
}

async function verified(
  command: string | readonly string[],
  { cwd, signal }: CommandPlace,
): Promise<CompletedWork['verificationResults'][number]> {
  const name = nameOfCommand(command);
  try {
    const { exitCode, stdout, stderr } = await runProcess({
      ...processOf(command),
      cwd,
      signal,
      timeoutMs: verificationMs,
    });
    return { name, passed: exitCode === 0, details: endOf(`${stdout}\n${stderr}`) };
  } catch (error) {
    if (isReviewError(error) && error.code === 'cancelled') throw error;
    return { name, passed: false, details: messageOf(error) };
  }
}

/** Returns the name of a command among the results. */
export function nameOfCommand(command: string | readonly string[]): string {
  return typeof command === 'string' ? command : command.join(' ');
}

/**
 * Returns the process of a command. A text is a line for the shell; a list is a program with
 * arguments.
 */
export function processOf(command: string | readonly string[]): {
  readonly command: string;
  readonly args: readonly string[];
} {
  if (typeof command === 'string') return { command: '/bin/sh', args: ['-c', command] };
  const [program = '', ...args] = command;
  return { command: program, args };
}

function endOf(output: string): string {
  const text = redactSecrets(sanitise(output).trim());
  return text.length <= mostCharacters
    ? text
    : `[${text.length - mostCharacters} characters left out]\n${text.slice(-mostCharacters)}`;
}
