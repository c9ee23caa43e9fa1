import type { Assessment } from './assessment.js';
import type { HumanRequest } from './human.js';
import type { OutcomeStatus } from './outcome.js';
import type { Review } from './review.js';

interface At {
  readonly runId: string;
  /** Counted from 1. */
  readonly iteration: number;
}

/** The events of a run. Names are noun, then verb; every payload carries runId and iteration. */
export interface ReviewEvents {
  'run-start': (payload: At) => void;
  'version-produce': (payload: At & { readonly digest: string; readonly parent: string | undefined }) => void;
  'review-start': (payload: At & { readonly digest: string; readonly reviewers: number }) => void;
  'reviewer-start': (payload: At & { readonly reviewer: string }) => void;
  'reviewer-end': (payload: At & { readonly reviewer: string; readonly assessments: readonly Assessment[]; readonly reused: boolean }) => void;
  'review-end': (payload: At & { readonly review: Review; readonly best: boolean }) => void;
  'fix-apply': (payload: At & { readonly criterion: string; readonly gap: string }) => void;
  'address-start': (payload: At & { readonly gaps: number }) => void;
  'human-request': (payload: At & { readonly request: HumanRequest }) => void;
  'budget-warn': (payload: At & { readonly message: string }) => void;
  'run-end': (payload: At & { readonly status: OutcomeStatus; readonly code: string; readonly reason: string }) => void;
}

/** The name of an event. */
export type ReviewEventName = keyof ReviewEvents;
