import { messageOf, ReviewLoopError } from '../core/errors.js';
import type { Version } from '../core/version.js';
import { engineErrors } from './errors.js';
import { type Revised, revise } from './revise.js';
import type { RevisionJob } from './revision-job.js';
import type { ProducedVersion, VersionHistory } from './version-history.js';

/** The next version to judge, or why the run stops. */
type NextVersion<Output> =
  | { readonly kind: 'judge'; readonly version: Version<Output> }
  | Extract<Revised<Output>, { readonly kind: 'stop' }>;

/** Revises, and stops if the same content was judged before. */
export async function nextVersion<Task, Output>(
  job: RevisionJob<Task, Output>,
): Promise<NextVersion<Output>> {
  const { run, state, decision } = job;
  const revised = await revise(job);
  run.throwIfEnded();
  if (revised.kind === 'stop') return revised;
  const version = versionOf(state, revised);
  const seen = state.reviewedIn(version.digest);
  if (version.digest === revised.parent)
    return {
      kind: 'stop',
      status: 'stalled',
      code: 'output_unchanged',
      reason: `the revision changed nothing: ${decision.reason}`,
    };
  if (seen !== undefined)
    return {
      kind: 'stop',
      status: 'stalled',
      code: 'oscillation',
      reason: `the revision returned to the version of iteration ${seen}: ${decision.reason}`,
    };
  return { kind: 'judge', version };
}

/** @throws ReviewLoopError `address_invalid` */
function versionOf<Output>(
  state: VersionHistory<Output>,
  revised: ProducedVersion<Output> & { readonly parent: string | undefined },
): Version<Output> {
  try {
    return state.versionOf(revised, revised.parent);
  } catch (error) {
    const what = `the next version was refused: ${messageOf(error)}`;
    throw new ReviewLoopError(engineErrors.address_invalid, what, { cause: error });
  }
}
