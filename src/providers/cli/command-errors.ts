import { ReviewLoopError } from '../../core/errors.js';
import type { Usage } from '../../core/usage.js';
import { modelErrors } from '../../model/errors.js';
import { clean } from '../../model/provider-fault.js';
import { nodeErrors } from '../../node/errors.js';
import type { CliOutput } from './cli-command.js';

/** Returns the error for a command that failed. The message contains the end of its output. */
export function failedCommand({
  exitCode,
  signal,
  stderr,
  stdout,
  place,
}: CliOutput): ReviewLoopError {
  const said = (stderr.trim() === '' ? stdout : stderr).trim();
  const ended =
    exitCode === null
      ? `was ended by ${signal ?? 'a signal'}`
      : `failed with exit code ${exitCode}`;
  const words = said === '' ? ' and printed nothing' : `: ${clean(place, said.slice(-2000), 2000)}`;
  return new ReviewLoopError(nodeErrors.process_failed, `${place.id} ${ended}${words}`, {
    retryable: exitCode === null,
    value: { exitCode },
  });
}

/** Returns the error for an answer without the requested structured output. It is retryable. */
export function missingStructure(
  { place, stdout }: Pick<CliOutput, 'place' | 'stdout'>,
  why: string,
  usage: Usage,
): ReviewLoopError {
  return new ReviewLoopError(
    modelErrors.answer_unreadable,
    `${place.id} gave no structured output: ${why}`,
    {
      retryable: true,
      value: { raw: clean(place, stdout, 4000), usage },
    },
  );
}
