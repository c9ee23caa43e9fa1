import { messageOf } from '../core/errors.js';
import { checkCommandOptions } from '../reviewers/command/command-options.js';
import type { Problem } from './criteria-problems.js';

/** Returns the problems of `commands`. */
export function commandProblems(value: unknown): Problem[] {
  if (!Array.isArray(value)) return [{ path: [], message: 'expected a list of commands' }];
  return value.flatMap((entry: unknown, index): Problem[] => {
    try {
      // the check takes any value
      checkCommandOptions(entry as never);
      return [];
    } catch (error) {
      return [{ path: [index], message: messageOf(error) }];
    }
  });
}
