/**
 * Matchers for vitest: `await expect(output).toPass(criterion)` and
 * `await expect(outcome).toBeApproved()`. Importing this module registers them.
 *
 * @module
 */
import { expect } from 'vitest';
import type { TestRecord } from './matchers/test-record.js';
import { type ToBeApprovedOptions, toBeApproved } from './matchers/to-be-approved.js';
import {
  type PassedBy,
  type ReviewingPipeline,
  type ToPassOptions,
  toPass,
} from './matchers/to-pass.js';

export type { TestRecord } from './matchers/test-record.js';

declare module 'vitest' {
  interface Matchers<T> {
    /**
     * Runs a criterion on the output, and resolves if it passes. A pipeline reviews the output once,
     * and passes if it approves. A check that was skipped or could not tell is neither a pass nor a
     * failure, and throws. The judge is aborted when the test ends.
     */
    toPass: <Task>(
      judge: PassedBy<T, Task> | ReviewingPipeline<Task, T>,
      options?: ToPassOptions<Task>,
    ) => Promise<void>;
    /**
     * Resolves if the outcome of a run is `approved`. With `not`, it throws for a run whose judges
     * did not finish.
     */
    toBeApproved: (options?: ToBeApprovedOptions) => Promise<void>;
  }
  interface TaskMeta {
    reviewloop?: TestRecord[];
  }
}

expect.extend({ toPass, toBeApproved });
