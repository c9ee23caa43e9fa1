import { ReviewLoopError } from '../../core/errors.js';
import { modelErrors } from '../errors.js';

/**
 * Checks that the model finished its answer.
 *
 * @param word - The service's own word for the end, which people can look up.
 *
 * @throws ReviewLoopError `answer_...`, `provider_malformed`
 */
export function ensureWhole(finish: string, raw: string, word: string = finish): void {
  const value = { value: raw };
  if (finish === 'length')
    throw new ReviewLoopError(modelErrors.answer_truncated, 'the answer was cut off', value);
  if (finish === 'content-filter')
    throw new ReviewLoopError(
      modelErrors.answer_filtered,
      'the answer was stopped by a filter',
      value,
    );
  if (finish === 'error')
    throw new ReviewLoopError(
      modelErrors.provider_malformed,
      'the service ended the answer with an error',
      {
        ...value,
        retryable: true,
      },
    );
  if (finish !== 'stop')
    throw new ReviewLoopError(modelErrors.answer_unreadable, `the answer ended with ${word}`, {
      ...value,
      retryable: true,
    });
  if (isDegenerate(raw))
    throw new ReviewLoopError(
      modelErrors.answer_degenerate,
      'the answer repeats itself without end',
      {
        ...value,
        retryable: true,
      },
    );
}

/** How many characters are checked at a time. A repetition of twice this length is always found. */
const frame = 1024;

/** The longest piece, in characters, whose repetition counts. */
const longestPiece = 128;

/** Returns whether a text repeats one short piece over and over. Takes linear time. */
export function isDegenerate(text: string): boolean {
  for (let start = 0; start + frame <= text.length; start += frame) {
    const part = text.slice(start, start + frame);
    const period = part.indexOf(part.slice(0, longestPiece), 1);
    if (period > 0 && period <= longestPiece && part.startsWith(part.slice(period))) return true;
  }
  return false;
}
