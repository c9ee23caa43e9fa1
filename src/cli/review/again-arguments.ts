import { argvOf } from '../../cli-kit/flags/argv-of.js';
import { reviewFlags } from './review-flags.js';
import type { ReviewRun } from './review-settings.js';

/**
 * The arguments that run the same review again; `undefined` after reading the standard input, or
 * for the example.
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
