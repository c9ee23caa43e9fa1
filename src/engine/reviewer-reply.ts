import type { Assessment } from '../core/assessment.js';
import type { ReviewLoopError } from '../core/errors.js';
import type { Reviewer } from '../core/reviewer.js';
import type { Usage } from '../core/usage.js';
import type { Version } from '../core/version.js';
import type { Definition } from './definition.js';
import type { Run } from './run.js';

/** What one reviewer said of one version. */
export interface ReviewerReply {
  readonly reviewer: string;
  readonly assessments: readonly Assessment[];
  readonly proposal: unknown;
  /** The digest of what it read. */
  readonly view: string;
  /** Whether it was known, and nobody was asked. */
  readonly reused: boolean;
  /** What asking had cost. */
  readonly usage: Usage;
}

/** What is judged, and in which run. */
export interface Judging<Task, Output> {
  readonly run: Run;
  readonly definition: Definition<Task, Output>;
  readonly task: Task;
  readonly version: Version<Output>;
}

/** What a reviewer reads. */
export interface View<Output> {
  readonly output: Output;
  readonly digest: string;
}

/** A reviewer, and what it reads. */
export interface Judge<Task, Output> {
  readonly reviewer: Reviewer<Task, Output>;
  readonly view: View<Output>;
}

/** What asking gave, and whether it may stand for asking again in another run. */
export interface Asked {
  readonly answered: ReviewerReply;
  readonly lasting: boolean;
}

/** Asks a reviewer. `onWait` is called when it begins to wait for a person, for as long as that takes. */
export type Ask = (onWait: () => void) => Promise<Asked>;

/** For who does not care about waiting. */
export const noWait = (): void => {};

/** The answer of a reviewer that failed. */
export function erroredAnswer(
  reviewer: string,
  view: string,
  error: ReviewLoopError,
): ReviewerReply {
  return {
    reviewer,
    assessments: [{ verdict: 'errored', criterion: reviewer, error }],
    proposal: undefined,
    view,
    reused: false,
    usage: {},
  };
}
