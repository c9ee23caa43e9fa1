import type { BestVersion } from '../core/reviewer.js';
import type { Judging } from './reviewer-reply.js';
import type { VerdictCache } from './verdict-cache.js';

/** The version, the run and the verdicts that one review needs. */
export interface ReviewJob<Task, Output> extends Judging<Task, Output> {
  /** The verdicts that may be reused, and the edits that are counted. */
  readonly verdicts: () => Promise<VerdictCache>;
  /** The best version before this one. */
  readonly best: BestVersion | undefined;
}
