import type { Review } from '../core/review.js';
import type { BestVersion } from '../core/reviewer.js';
import type { Phase } from './budget.js';

/** Options of a work context. */
export interface WorkOptions {
  /** Unique in the run: `produce`, `iter:2/address`, `iter:2/review:has-title`. */
  readonly name: string;
  readonly phase: Phase;
  /** The digest of everything that its checks read; only an equal digest allows a replay. */
  readonly digest: string;
  /** The digest of its version, for questions. */
  readonly version: string;
  readonly timeoutMs: number | undefined;
  /** The workspace tree at the start, if the work may change it; then steps record their trees. */
  readonly tree?: string | undefined;
  readonly previous?: readonly Review[] | undefined;
  readonly best?: BestVersion | undefined;
  /** Whether this is a retry, which replays finished steps. */
  readonly again?: boolean | undefined;
  /** Called when it starts and stops waiting for a person. */
  readonly onWait?: (() => void) | undefined;
}
