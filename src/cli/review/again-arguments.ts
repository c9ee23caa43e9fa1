import { argvOf } from '../../cli-kit/flags/flag.js';
import type { MoreArguments } from '../../cli-kit/show/next-command.js';
import { reviewFlags } from './review-flags.js';
import type { ReviewRun } from './review-settings.js';

/**
 * Returns the arguments that repeat a review, with every option but `--again`: judges that answered
 * are not asked once more. `undefined` for the example, for a session of
 * an agent, and if the standard input was read.
 */
export function againArguments({
  settings,
  example,
  session,
}: Pick<ReviewRun, 'settings' | 'example' | 'session'>):
  | ((more: MoreArguments) => string[])
  | undefined {
  if (example || session !== undefined || settings.paths.includes('-') || settings.task === '-')
    return undefined;
  return ({ provider = settings.provider, session: of = settings.session, ...more }) =>
    argvOf(reviewFlags, {
      ...settings,
      ...more,
      provider,
      session: of,
      allowTruncated: [...settings.allowTruncated, ...(more.allowTruncated ?? [])],
      again: false,
      watch: false,
    });
}
