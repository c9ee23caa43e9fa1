import { ReviewLoopError } from '../core/errors.js';
import type { Clock } from '../ports/clock.js';

/** Rejects with `timeout` if the hook takes longer than `ms`. */
export function within<Value>(
  clock: Clock,
  ms: number,
  label: string,
  hook: Promise<Value>,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(ms, () =>
      reject(new ReviewLoopError('timeout', `${label} timed out after ${ms} ms`)),
    );
    hook.then(resolve, reject).finally(cancel);
  });
}
