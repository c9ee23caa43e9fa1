import type { OutcomeStatus } from '../kernel/outcome.js';
import type { Ending } from './ending.js';
import { requestId } from './request-id.js';
import type { Run } from './run.js';

/** How a run can have ended for a person to let its version through all the same. */
const overridable: ReadonlySet<OutcomeStatus> = new Set(['rejected', 'escalated', 'exhausted', 'stalled', 'inconclusive', 'timed_out']);

/** The id under which an override of a version is recorded. */
export function overrideId(runId: string, digest: string): string {
  return requestId(runId, 'override', digest);
}

/** The ending, or the acceptance of its version where a person has overridden it. */
export function overridden<Output>(run: Run, ending: Ending<Output>): Ending<Output> {
  if (!overridable.has(ending.status) || ending.version === undefined) return ending;
  const answer = run.answerTo(overrideId(run.id, ending.version.digest));
  if (answer?.kind !== 'override') return ending;
  const { by, reason } = answer;
  return {
    status: 'accepted',
    code: 'person_overrode',
    reason: `override by ${by}: ${reason} (${ending.status}: ${ending.reason})`,
    version: ending.version,
    decidedBy: by,
    because: { kind: 'override', by, reason },
  };
}
