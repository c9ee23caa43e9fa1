import type { EventPlace } from '../../../core/event.js';
import type { Gap } from '../../../core/gap.js';
import { digestJson } from '../../../core/json.js';
import type { Review } from '../../../core/review.js';
import type { RunListeners } from '../../../engine/events.js';

/** A part of a stream: its name, an id within the stream, and JSON data. */
export interface ReviewPart {
  readonly type: `data-${string}`;
  readonly id: string;
  readonly data: object;
}

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

export interface GapSummary {
  readonly id: string;
  readonly severity: Gap['severity'];
  readonly description: string;
  readonly suggestedFix: string;
}

/** A review, as an agent or a page shows it. JSON data. */
export interface ReviewSummary {
  readonly approved: boolean;
  /** Why, in a sentence. */
  readonly reason: string;
  /** The gaps, worst first. */
  readonly gaps: readonly GapSummary[];
}

export function reviewSummary({ decision, gaps }: Review): ReviewSummary {
  return {
    approved: decision.kind === 'approve',
    reason: decision.reason,
    gaps: gaps.map(({ id, severity, description, suggestedFix }) => ({
      ...{ id, severity, description, suggestedFix },
    })),
  };
}

/** An equal text has an equal id. */
export function runIdFrom(text: string): string {
  const id = text.replaceAll(/[^\w.:@-]/g, '_');
  return id === text && id.length <= 200
    ? id
    : `${id.slice(0, 120)}-${digestJson(text).slice(0, 32)}`;
}
