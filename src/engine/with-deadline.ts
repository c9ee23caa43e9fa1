import { ReviewLoopError } from '../core/errors.js';
import type { Clock } from '../ports/clock.js';

/** Waits for a hook of somebody else's, but not for longer than this. */
export function within<Value>(
  clock: Clock,
  ms: number,
  label: string,
  hook: Promise<Value>,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(ms, () =>
      reject(new ReviewLoopError('timeout', `${label} gave no result within ${ms} ms`)),
    );
    hook.then(resolve, reject).finally(cancel);
  });
}
