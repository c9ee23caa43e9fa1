import type { EventPlace } from '../../core/event.js';
import type { RunListeners } from '../../engine/events.js';
import { reviewSummary } from './review-summary.js';

/** A part of a stream: its name, an id within the stream, and JSON data. */
export interface ReviewPart {
  readonly type: `data-${string}`;
  readonly id: string;
  readonly data: object;
}

/**
 * Returns listeners that write what a review finds as parts of a stream. Events of replayed work are
 * left out.
 */
export function reviewParts(write: (part: ReviewPart) => void): RunListeners {
  const send = ({ replayed, runId }: EventPlace, { id, ...part }: ReviewPart): void => {
    if (replayed !== true) write({ ...part, id: `${runId}/${id}` });
  };
  return {
    'review-end': (event) => {
      const { iteration, review } = event;
      const { gaps, ...verdict } = reviewSummary(review);
      const data = { iteration, ...verdict, scores: review.scores };
      send(event, { type: 'data-review', id: `review-${iteration}`, data });
      send(event, { type: 'data-gaps', id: 'gaps', data: { iteration, gaps } });
    },
    'human-request': (event) => {
      const { id, digest, question, allowed, subject } = event.request;
      const data = { id, digest, question, allowed, ...(subject !== undefined && { subject }) };
      send(event, { type: 'data-request', id: `request-${id}`, data });
    },
    'run-end': (event) => {
      const { status, code, reason } = event;
      send(event, { type: 'data-outcome', id: 'outcome', data: { status, code, reason } });
    },
  };
}
