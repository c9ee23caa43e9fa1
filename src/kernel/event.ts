import type { Assessment } from './assessment.js';
import type { HumanRequest } from './human.js';
import type { OutcomeStatus } from './outcome.js';
import type { Review } from './review.js';

/** Where in which run an event happened. */
export interface EventPlace {
  readonly runId: string;
  /** Counted from 1. */
  readonly iteration: number;
}

/** The events of a run. Names are noun, then verb; every payload carries runId and iteration. */
export interface ReviewEvents {
  'run-start': (payload: EventPlace) => void;
  'version-produce': (payload: EventPlace & { readonly digest: string; readonly parent: string | undefined }) => void;
  'review-start': (payload: EventPlace & { readonly digest: string; readonly reviewers: number }) => void;
  'reviewer-start': (payload: EventPlace & { readonly reviewer: string }) => void;
  'reviewer-end': (payload: EventPlace & { readonly reviewer: string; readonly assessments: readonly Assessment[]; readonly reused: boolean }) => void;
  'review-end': (payload: EventPlace & { readonly review: Review; readonly best: boolean }) => void;
  'fix-apply': (payload: EventPlace & { readonly criterion: string; readonly gap: string }) => void;
  'address-start': (payload: EventPlace & { readonly gaps: number }) => void;
  'human-request': (payload: EventPlace & { readonly request: HumanRequest }) => void;
  'budget-warn': (payload: EventPlace & { readonly message: string }) => void;
  'run-end': (payload: EventPlace & { readonly status: OutcomeStatus; readonly code: string; readonly reason: string }) => void;
}

/** The name of an event. */
export type ReviewEventName = keyof ReviewEvents;
