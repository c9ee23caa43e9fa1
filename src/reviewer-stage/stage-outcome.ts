/** The two decisions of seed 003; everything else is told beside them. */
export type StageDecision = 'APPROVED' | 'REJECTED';

/**
 * What became of the work: done; sent back; given to a person; let through against the decision; declined by a person; out of
 * time; waiting for a person; or broken.
 */
export type StageOutcome =
  | 'completed'
  | 'rejected'
  | 'escalated'
  | 'overridden'
  | 'declined'
  | 'timed_out'
  | 'suspended'
  | 'cancelled'
  | 'failed';
