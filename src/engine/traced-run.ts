import type { ReviewLoopError } from '../core/errors.js';
import type { Review } from '../core/review.js';
import type { Clock } from '../ports/clock.js';
import type { Logger } from '../ports/logger.js';
import type { RunJournal } from './journal.js';

/** The parts of a run that tracers need. */
export interface TracedRun {
  readonly id: string;
  readonly iteration: number;
  readonly reviews: readonly Review[];
  readonly replaying: boolean;
  readonly journal: Pick<RunJournal, 'header' | 'resumed' | 'records'> | undefined;
  readonly ports: { readonly clock: Clock; readonly logger: Logger };
  /** Why the run ended early; undefined otherwise. */
  readonly ended: ReviewLoopError | undefined;
  readonly onEnd: (callback: () => void) => () => void;
  readonly throwIfEnded: () => void;
}
