import type { Outcome } from '../core/outcome.js';
import type { Review } from '../core/review.js';
import type { ChecklistItem } from './checklist.js';
import type { GateStatus } from './gate-status.js';
import type { GateOutput } from './item-reviewer.js';

/** What else a decomposition may be told. */
export interface DecomposeOptions {
  /** The paths of what is reviewed; the state remembers them. */
  readonly inputs?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What a decomposition gave. */
export interface Decomposition {
  readonly items: readonly ChecklistItem[];
  /** False where the phase had been decomposed before: that stands (D001-09). */
  readonly created: boolean;
  /** For a caller that is a language model. */
  readonly text: string;
}

/** What a verification gave. */
export interface GateVerification extends GateStatus {
  readonly iteration: number;
  /** For a caller that is a language model. */
  readonly text: string;
  /** The review behind it; none where there are no items. */
  readonly review: Review | undefined;
}

/** How a run of a gate ended. */
export interface GateRun<Work> extends GateStatus {
  readonly iteration: number;
  readonly text: string;
  /** The work as it came back. */
  readonly work: Work | undefined;
  /** The run as the engine tells it; `requests` where a person is asked. */
  readonly outcome: Outcome<GateOutput<Work>>;
}
