/**
 * A matcher for vitest: `await expect(output).toPass(criterion)`. Importing this module registers
 * it.
 *
 * @module
 */
import { expect } from 'vitest';
import { type Checked, type CheckOptions, check } from './check.js';

declare module 'vitest' {
  interface Matchers<T> {
    /**
     * Runs a criterion on the output, and resolves if it passes. A skipped check is neither a pass
     * nor a failure, and throws.
     */
    toPass: <Task>(criterion: Checked<T, Task>, options?: CheckOptions<Task>) => Promise<void>;
  }
}

expect.extend({ toPass });

async function toPass<Output, Task>(
  output: Output,
  criterion: Checked<Output, Task>,
  options?: CheckOptions<Task>,
): Promise<{ pass: boolean; message: () => string }> {
  const { passed, score, details, skipped } = await check(criterion, output, options);
  if (skipped !== undefined) throw new Error(`${criterion.id} was skipped: ${skipped}`);
  const found = `it scored ${score}${details === '' ? '' : `: ${details}`}`;
  return {
    pass: passed,
    message: () =>
      `expected the output ${passed ? 'not to pass' : 'to pass'} ${criterion.id}; ${found}`,
  };
}
