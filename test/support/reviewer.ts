import type { Reviewer } from '@/index.js';

/** A reviewer by code, of the first version, from a function. */
export function reviewerOf<Task, Output>(
  id: string,
  review: Reviewer<Task, Output>['review'],
  more: Partial<Reviewer<Task, Output>> = {},
): Reviewer<Task, Output> {
  return { id, version: '1', tier: 'code', review, ...more };
}
