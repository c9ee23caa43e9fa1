import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf, ReviewLoopError } from '../core/errors.js';
import { nodeErrors } from './errors.js';

/**
 * Works in a new empty folder, which is removed afterwards with everything in it.
 *
 * @throws ReviewLoopError `output_unwritable`
 */
export async function inTemporaryFolder<Value>(
  work: (folder: string) => Promise<Value>,
): Promise<Value> {
  let folder: string;
  try {
    folder = await mkdtemp(join(tmpdir(), 'reviewloop-'));
  } catch (error) {
    throw new ReviewLoopError(
      nodeErrors.output_unwritable,
      `no folder can be made in ${tmpdir()}: ${messageOf(error)}`,
      { cause: error },
    );
  }
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
  }
}
