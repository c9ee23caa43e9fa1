import { isReviewError, messageOf, ReviewLoopError } from '../core/errors.js';
import type { HumanAnswer } from '../core/human.js';
import type { VersionReference } from './answer.js';
import type { Definition } from './definition.js';
import type { RunJournal } from './journal.js';

/** What a person decided about which version. */
interface Decided {
  readonly kind: 'answer' | 'override';
  readonly reference: VersionReference & { readonly id?: string };
  readonly answer: HumanAnswer;
}

/**
 * Tells the audit log of a decision before it counts: what cannot be told is not decided.
 *
 * @throws ReviewLoopError `audit_unwritable`, or what the sink throws
 */
export async function recordInAudit<Task, Output>(
  { audit }: Definition<Task, Output>,
  journal: RunJournal,
  { kind, reference, answer }: Decided,
): Promise<void> {
  if (audit === undefined) return;
  const { runId, digest, id } = reference;
  const request = id === undefined ? undefined : journal.requests.get(id);
  const reason = answer.kind === 'revise' ? answer.note : answer.reason;
  const verdict =
    request?.approved === true
      ? 'approved'
      : request === undefined && journal.ended !== undefined
        ? `${journal.ended.status} (${journal.ended.code})`
        : 'not approved';
  try {
    await audit.record({
      kind,
      who: answer.by,
      runId,
      version: digest,
      ...(id !== undefined && { request: id }),
      verdict,
      decision: answer.kind,
      ...(reason !== undefined && { reason }),
    });
  } catch (error) {
    if (isReviewError(error)) throw error;
    throw new ReviewLoopError(
      'audit_unwritable',
      `the audit log did not take the ${kind}: ${messageOf(error)}`,
      { cause: error },
    );
  }
}
