import type { RunListeners } from '../../engine/events.js';
import { reviewParts } from '../shared/review-parts.js';

export interface UIStreamWriter {
  /** Writes a part of the message. */
  write(part: never): void;
}

/**
 * Returns listeners that write what a review finds into a stream of UI messages, for the option `on`
 * of `run` and `answer`:
 *
 * - `data-review`: `iteration`, `approved`, `reason`, `scores`, one part for each review
 * - `data-gaps`: `iteration` and `gaps`, one part that each review replaces
 * - `data-request`: the question to a person, with `id` and `digest` for the answer
 * - `data-outcome`: `status`, `code` and `reason` of the run
 *
 * Events of replayed work are left out.
 *
 * @example
 * ```ts
 * createUIMessageStream({
 *   execute: async ({ writer }) => {
 *     await article.run(topic, { runId, on: reviewUIStream(writer) });
 *   },
 * });
 * ```
 */
export function reviewUIStream(writer: UIStreamWriter): RunListeners {
  // the types of a message are the user's, so the writer takes no type of ours
  return reviewParts((part) => writer.write(part as never));
}
