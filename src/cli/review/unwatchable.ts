import type { Io } from '../../cli-kit/io.js';
import { ReviewLoopError } from '../../core/errors.js';
import { nodeErrors } from '../../node/errors.js';
import { isCi } from '../../terminal/reader.js';
import type { ReviewSettings } from './review-settings.js';

/**
 * Refuses `--watch` where it would never end, or has nothing to watch.
 *
 * @throws ReviewLoopError `usage`
 */
export function refuseUnwatchable(
  io: Pick<Io, 'reader'>,
  { paths, task, write }: Pick<ReviewSettings, 'paths' | 'task' | 'write'>,
): void {
  const refuse = (why: string): never => {
    throw new ReviewLoopError(nodeErrors.usage, `--watch ${why}`);
  };
  if (paths.includes('-') || task === '-') refuse('cannot watch the standard input');
  if (write) refuse('cannot be used with --write: it would review its own changes');
  if (io.reader === 'agent' || isCi())
    refuse('never ends, and nobody is there to end it: remove it in CI and for agents');
}
