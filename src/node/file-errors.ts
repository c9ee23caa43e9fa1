import { messageOf, ReviewLoopError } from '../core/errors.js';
import { isMissing, systemCode } from './durable.js';
import { nodeErrors } from './errors.js';

/** Returns the error for a file or folder that cannot be read: `file_unreadable`. */
export function unreadableFile(path: string, cause: unknown): ReviewLoopError {
  const reason = isMissing(cause) ? 'no such file' : systemReason(cause);
  return new ReviewLoopError(nodeErrors.file_unreadable, `cannot read ${path}: ${reason}`, {
    cause,
    value: path,
  });
}

/** Returns the error for a file or folder that cannot be written: `output_unwritable`. */
export function unwritableFile(path: string, cause: unknown): ReviewLoopError {
  return new ReviewLoopError(
    nodeErrors.output_unwritable,
    `cannot write ${path}: ${systemReason(cause)}`,
    {
      cause,
      value: path,
    },
  );
}

/**
 * Returns what the operating system said, as in `permission denied`. Node adds a code, the name of
 * the call and the path, which the messages of this library already contain.
 */
export function systemReason(error: unknown): string {
  if (systemCode(error) === 'ELOOP') return 'it is a symbolic link, which is not followed';
  const message = messageOf(error);
  const [, reason] = /^E[A-Z0-9]+: (.+?), [a-z]+(?: .*)?$/s.exec(message) ?? [];
  return reason ?? message;
}
