import type { EventPlace } from '../../core/event.js';
import type { RunListeners } from '../../engine/events.js';
import { reviewSummary } from '../shared/review-summary.js';

/** The writer of `createUIMessageStream`, as far as it is used. */
export interface UIStreamWriter {
  /** Writes a part of the message. */
  write(part: never): void;
}

/** A part of a message: its name, an id within the message, and JSON data. */
interface DataPart {
  readonly type: `data-${string}`;
  readonly id: string;
  readonly data: object;
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
  const write = ({ replayed, runId }: EventPlace, { id, ...part }: DataPart): void => {
    // the types of a message are the user's, so the writer takes no type of ours
    if (replayed !== true) writer.write({ ...part, id: `${runId}/${id}` } as never);
  };
  return {
    'review-end': (event) => {
      const { iteration, review } = event;
      const { gaps, ...verdict } = reviewSummary(review);
      const data = { iteration, ...verdict, scores: review.scores };
      write(event, { type: 'data-review', id: `review-${iteration}`, data });
      write(event, { type: 'data-gaps', id: 'gaps', data: { iteration, gaps } });
    },
    'human-request': (event) => {
      const { id, digest, question, allowed, subject } = event.request;
      const data = { id, digest, question, allowed, ...(subject !== undefined && { subject }) };
      write(event, { type: 'data-request', id: `request-${id}`, data });
    },
    'run-end': (event) => {
      const { status, code, reason } = event;
      write(event, { type: 'data-outcome', id: 'outcome', data: { status, code, reason } });
    },
  };
}
