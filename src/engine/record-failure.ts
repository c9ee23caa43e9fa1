import { messageOf, ReviewLoopError } from '../core/errors.js';
import type { Usage } from '../core/usage.js';
import type { Run } from './run.js';
import type { StepKey } from './step-record.js';

/** A resumed run tries the step again. */
export async function recordFailure(
  run: Run,
  { name, input }: StepKey,
  thrown: unknown,
  { usage, asking }: { readonly usage: Usage | undefined; readonly asking: boolean },
): Promise<unknown> {
  const error = asking ? errorOfStep(name, thrown) : thrown;
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
  return error;
}

/** A step that ended while a question was open may have asked it. */
function errorOfStep(name: string, error: unknown): unknown {
  if (!(error instanceof ReviewLoopError) || error.code !== 'timeout') return error;
  return new ReviewLoopError(
    'step_nested',
    `${error.what}, while a question was open; ask before or after \`${name}\`, not from inside it`,
    { cause: error },
  );
}
