import { call, checkKeys, checkPlain, like } from '../core/options.js';
import type { Review } from '../core/review.js';
import type { BestVersion } from '../core/reviewer.js';
import type { Around } from '../core/span.js';
import type { Store } from '../ports/store.js';
import type { Phase } from './budget.js';
import { checkListener, type RunListeners } from './events.js';

/** Options of one call of `run`, `answer` or `override`. */
export interface RunOptions {
  /**
   * The id of the run to start or to continue; 1 to 200 letters, digits and . : @ _ -.
   *
   * @default a new id
   */
  readonly runId?: string | undefined;
  /** Stores the journal of this run. @default the store of the pipeline */
  readonly store?: Store | undefined;
  /** Aborting it ends the run as `cancelled`. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Aborting it lets go of the run: the calls that are out are awaited and recorded, no other call
   * begins, no end is recorded, and the promise rejects with `released`. Another process can then
   * continue the run.
   *
   * @default undefined
   */
  readonly release?: AbortSignal | undefined;
  /**
   * Listeners for the events of this call alone. One that throws is logged.
   *
   * @default {}
   */
  readonly on?: RunListeners | undefined;
  /**
   * Called round each piece of work of this call, inside of the hook of the pipeline.
   *
   * @default undefined
   */
  readonly around?: Around | undefined;
}

/** A misspelt `runId` would make a run that cannot be continued. */
export function checkRunOptions(options: RunOptions): void {
  checkKeys('run', options, ['runId', 'store', 'signal', 'release', 'on', 'around']);
  const { on, around } = options;
  for (const name of ['signal', 'release'] as const)
    if (options[name] !== undefined)
      like('an AbortSignal', 'addEventListener')(name, options[name]);
  if (around !== undefined) call('around', around);
  if (on === undefined) return;
  checkPlain('on', on);
  for (const [name, listener] of Object.entries(on))
    if (listener !== undefined) checkListener(name, listener);
}

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
  readonly onWait?: (() => void) | undefined;
}
