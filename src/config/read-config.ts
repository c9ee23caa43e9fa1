import { isReviewError, messageOf, ReviewLoopError } from '../core/errors.js';
import { readText } from '../node/files.js';
import { configErrors } from './errors.js';

/** The size limit of a configuration, in bytes. */
const largest = 5_000_000;

/**
 * Returns the text of a configuration. One that is empty or cannot be read never counts as absent.
 *
 * @throws ReviewLoopError `config_unreadable`
 */
export async function readConfig(
  path: string,
  { shown, maxBytes = largest }: { readonly shown: string; readonly maxBytes?: number },
): Promise<string> {
  let text = '';
  let why = `cannot read ${shown}: it is empty`;
  let cause: unknown;
  try {
    text = await readText(path, { shown, maxBytes });
  } catch (error) {
    if (!isReviewError(error)) throw error;
    cause = error;
    why = messageOf(error);
  }
  if (text.trim() !== '') return text;
  throw new ReviewLoopError(configErrors.config_unreadable, why, { cause, value: shown });
}
