import type { Gap } from '../../core/gap.js';
import type { Region } from './region.js';

/**
 * Whether a gap counts. `waived`: a person or the producer's reason waived it; `disputed`: another
 * judge does not confirm it; `overridden`: a person accepted the version in spite of it.
 */
export type FindingState = 'open' | 'waived' | 'disputed' | 'overridden';

/** A gap of the returned version, as machine formats show it. */
export interface RunFinding {
  /** The id of the gap. */
  readonly id: string;
  /** Which finding with this id it is, from 1. Several runs may find the same gap. */
  readonly occurrence: number;
  /** Equal for the same gap after its lines moved: the id, and the occurrence from the second on. */
  readonly fingerprint: string;
  readonly runId: string;
  /** The gap without secrets. */
  readonly gap: Gap;
  /** The id of the criterion, or `requirement`. */
  readonly rule: string;
  /** `error` if it blocks, `note` if it does not count. */
  readonly level: 'error' | 'warning' | 'note';
  readonly state: FindingState;
  /** Why it does not count. */
  readonly justification?: string | undefined;
  /** What is wrong, and how to fix it. */
  readonly message: string;
  /** Where it is shown; `undefined` for a run without files. */
  readonly place?: FindingPlace | undefined;
}

/** Where a finding is shown. */
export interface FindingPlace {
  /** The path, relative to the root of the repository, with `/`. */
  readonly file: string;
  readonly region: Region;
  /** What named the place: the gap itself, the task, or nothing but the list of files. */
  readonly by: 'gap' | 'task' | 'run';
}
