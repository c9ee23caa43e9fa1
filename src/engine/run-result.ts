import type { ReviewError, ReviewLoopError } from '../core/errors.js';
import type { Acceptance, Outcome, OutcomeBase } from '../core/outcome.js';
import type { Version } from '../core/version.js';

/** The facts of a run that its outcome repeats. */
interface EndedRun {
  readonly id: string;
  readonly reviews: OutcomeBase['reviews'];
  readonly ledger: { readonly usage: OutcomeBase['usage'] };
  readonly changed?: OutcomeBase['changed'];
}

type ResultBase = Pick<OutcomeBase, 'code' | 'reason' | 'decidedBy' | 'error'>;

/** A loop that ended without an approval, an acceptance or a question. */
export interface StoppedResult<Output> extends ResultBase {
  readonly status: Exclude<Outcome<Output>['status'], 'approved' | 'accepted' | 'suspended'>;
  /** The returned version, if any. */
  readonly version: Version<Output> | undefined;
}

/** How a loop ended: an outcome with the whole version in place of its output. */
export type RunResult<Output> =
  | (ResultBase & { readonly status: 'approved'; readonly version: Version<Output> })
  | (ResultBase & {
      readonly status: 'accepted';
      readonly version: Version<Output>;
      readonly acceptance: Acceptance;
    })
  | (ResultBase & {
      readonly status: 'suspended';
      readonly version: Version<Output> | undefined;
      readonly requests: Extract<Outcome<Output>, { status: 'suspended' }>['requests'];
    })
  | StoppedResult<Output>;

export function outcomeOf<Output>(run: EndedRun, result: RunResult<Output>): Outcome<Output> {
  const base = baseOf(run, result);
  switch (result.status) {
    case 'approved':
      return { ...base, status: 'approved', approved: true, output: result.version.output };
    case 'accepted': {
      const { version, acceptance } = result;
      return { ...base, status: 'accepted', approved: false, output: version.output, acceptance };
    }
    case 'suspended': {
      const { version, requests } = result;
      return { ...base, status: 'suspended', approved: false, output: version?.output, requests };
    }
    default:
      return { ...base, status: result.status, approved: false, output: result.version?.output };
  }
}

function baseOf<Output>(run: EndedRun, result: RunResult<Output>): OutcomeBase {
  const { code, reason, version, decidedBy, error } = result;
  const { produce, review: reviewing, address } = run.ledger.usage;
  const review = run.reviews.findLast((one) => one.version === version?.digest);
  return {
    runId: run.id,
    reason,
    code,
    reviews: run.reviews,
    ...(review !== undefined && { review }),
    usage: { produce, review: reviewing, address },
    ...(version !== undefined && { version: version.digest }),
    ...(version?.tree !== undefined && { workspace: version.tree }),
    ...(decidedBy !== undefined && { decidedBy }),
    ...(error !== undefined && { error }),
    ...(run.changed && { changed: run.changed }),
  };
}

/** Returns the result of a run that timed out, was cancelled or failed. */
export function failedResult<Output>(
  error: ReviewLoopError,
  version: Version<Output> | undefined,
): StoppedResult<Output> {
  // the advice is that of the library; a face has its own
  return { status: failedStatus(error), code: error.code, reason: error.what, version, error };
}

function failedStatus({ code }: ReviewError): 'timed_out' | 'cancelled' | 'failed' {
  if (code === 'run_timed_out') return 'timed_out';
  return code === 'cancelled' || code === 'released' ? 'cancelled' : 'failed';
}
