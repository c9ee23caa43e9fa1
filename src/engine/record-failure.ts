import { messageOf, ReviewLoopError } from '../core/errors.js';
import type { Usage } from '../core/usage.js';
import type { Run } from './run.js';
import type { StepKey } from './step-record.js';

/** Records a failed attempt; a resumed run tries the step again. */
export async function recordFailure(
  run: Run,
  { name, input }: StepKey,
  error: unknown,
  usage: Usage | undefined,
): Promise<void> {
  if (run.ended !== undefined) {
    if (usage !== undefined) run.ledger.noteUnrecorded(name, usage);
    return;
  }
  const code = error instanceof ReviewLoopError ? error.code : 'error';
  try {
    await run.journal?.append({
      type: 'attempt',
      name,
      input,
      code,
      message: messageOf(error).slice(0, 2000),
      ...(usage !== undefined && { usage }),
      at: run.ports.clock.now(),
    });
  } catch {
    // The journal has already ended the run with the first error.
  }
}

/** Returns the error of a step; one that ended while a question was open may have asked it. */
export function errorOfStep(name: string, error: unknown): unknown {
  if (!(error instanceof ReviewLoopError) || error.code !== 'timeout') return error;
  return new ReviewLoopError(
    'step_nested',
    `${error.what}, while a question was open; ask before or after \`${name}\`, not from inside it`,
    { cause: error },
  );
}
