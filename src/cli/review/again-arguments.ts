import { argvOf } from '../../cli-kit/flags/argv-of.js';
import { reviewFlags } from './review-flags.js';
import type { ReviewRun } from './review-settings.js';

/**
 * Returns the arguments that repeat a review. `undefined` for the example, and if the standard
 * input was read.
 */
export function againArguments({
  settings,
  example,
}: ReviewRun):
  | ((more: { readonly fix: boolean; readonly write: boolean }) => string[])
  | undefined {
  if (example || settings.paths.includes('-') || settings.task === '-') return undefined;
  return (more) => argvOf(reviewFlags, { ...settings, ...more, format: 'text', quiet: false });
}
