import type { SavedTrees } from '../git/saved-trees.js';
import type { Clock } from '../ports/clock.js';
import type { Random } from '../ports/random.js';
import type { GateReply } from './agent-event.js';
import type { GateLimits } from './decide-stop.js';
import type { GateVerdict } from './gate-verdict.js';
import type { SessionState, SessionTree } from './session-state.js';
import type { SessionStore } from './session-store.js';

/** What the gate reviews: two states of a folder, and what the person asked for. */
export interface SessionReview {
  readonly root: string;
  readonly start: SessionTree;
  readonly now: SessionTree;
  readonly prompt: string | undefined;
}

/** The result of a review, with the limits of the project. */
export interface SessionReviewResult {
  readonly verdict: GateVerdict;
  /** The limits in the configuration; missing if it could not be read. */
  readonly limits?:
    | { readonly [Name in keyof GateLimits]?: GateLimits[Name] | undefined }
    | undefined;
}

/** Where and with what an event is answered. */
export interface GateOptions {
  readonly root: string;
  readonly store: SessionStore;
  readonly trees: Pick<SavedTrees, 'lastCommit' | 'changed'> & {
    /** Saves the present files. */
    readonly save: () => Promise<SessionTree>;
  };
  /** The other folders of the session, which are reviewed by themselves. @default none */
  readonly others?: readonly string[] | undefined;
  /** Reviews what changed. It ends in time, and it never rejects. */
  readonly review: (review: SessionReview) => Promise<SessionReviewResult>;
  /** @default the system clock */
  readonly clock?: Clock | undefined;
  /** @default random UUIDs */
  readonly random?: Random | undefined;
}

/** An answer, the state to store, and a line for the log. */
export interface Step {
  readonly state: SessionState;
  readonly reply: GateReply;
  readonly version?: string | undefined;
  readonly why?: string | undefined;
  /** Whether the stop is not the end of the work. */
  readonly unfinished?: true | undefined;
}

/** The state of a session, and whether the gate has seen the session before. */
export interface Known {
  readonly known: boolean;
  readonly state: SessionState;
}
