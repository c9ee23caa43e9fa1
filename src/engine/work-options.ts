import type { Review } from '../core/review.js';
import type { BestVersion } from '../core/reviewer.js';
import type { Phase } from './budget.js';

/** What a work context is for. */
export interface WorkOptions {
  /** Unique in the run: `produce`, `iter:2/address`, `iter:2/review:has-title`. */
  readonly name: string;
  readonly phase: Phase;
  /** Stands for all that its checks read; a recorded check is replayed only while it is equal. */
  readonly digest: string;
  /** The digest of the version it works on, which questions are about. */
  readonly version: string;
  readonly timeoutMs: number | undefined;
  /** The tree of the workspace that its work starts from, where it may change it; what its steps leave is then recorded with them. */
  readonly tree?: string | undefined;
  readonly previous?: readonly Review[] | undefined;
  readonly best?: BestVersion | undefined;
  /** Whether it is another try of something, whose finished steps are replayed. */
  readonly again?: boolean | undefined;
  /** Called when it begins to wait for a person, and when it no longer does. */
  readonly onWait?: (() => void) | undefined;
}
