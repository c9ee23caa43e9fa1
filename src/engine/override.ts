import { ReviewLoopError } from '../core/errors.js';
import type { OutcomeStatus } from '../core/outcome.js';
import type { PendingOverride } from './given-override.js';
import { requestId } from './request-id.js';
import type { Run } from './run.js';
import type { RunResult } from './run-result.js';

/** How a run can have ended for a person to let its version through all the same. */
const overridable: ReadonlySet<OutcomeStatus> = new Set([
  'rejected',
  'escalated',
  'exhausted',
  'stalled',
  'inconclusive',
  'timed_out',
]);

/** The id under which an override of a version is recorded. */
export function overrideId(runId: string, digest: string): string {
  return requestId(runId, 'override', digest);
}

/** The ending, or the acceptance of its version where a person has overridden it. */
export async function overridden<Output>(
  run: Run,
  ending: RunResult<Output>,
): Promise<RunResult<Output>> {
  if (run.override !== undefined) await decide(run, run.override, ending);
  return withOverride(run, ending);
}

/** Records an override where it lets the ending through, and nothing where it does not: what is audited has taken effect. */
async function decide(
  run: Run,
  given: PendingOverride,
  { status, version }: RunResult<unknown>,
): Promise<void> {
  if (version === undefined || status === 'failed' || status === 'cancelled') return;
  try {
    if (version.digest !== given.digest)
      throw new ReviewLoopError(
        'override_stale',
        `run ${run.id} is ${status} with version ${version.digest}, and not with ${JSON.stringify(given.digest)}`,
        { value: given.digest },
      );
    if (overridable.has(status)) await given.record();
  } catch (error) {
    given.refused = error;
  }
}

function withOverride<Output>(run: Run, ending: RunResult<Output>): RunResult<Output> {
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
    acceptance: { kind: 'override', by, reason },
  };
}
