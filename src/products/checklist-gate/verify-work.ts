import type { Review } from '../../core/review.js';
import type { ChecklistItem, ChecklistState } from '../../ports/checklist/checklist-state.js';
import { workStatus } from './change-item.js';
import { verifyText } from './checklist-text.js';
import { ChecklistVerdictStore } from './checklist-verdict-store.js';
import { gatePipeline } from './gate-pipeline.js';
import type { GateSettings } from './gate-settings.js';
import { ChecklistLoopState, type GateStatus } from './gate-status.js';
import { taskOf } from './item-reviewer.js';
import { readState } from './stored-checklist.js';

/** The result of a verification. */
export interface GateVerification extends GateStatus {
  /** The verified iteration, from 1. */
  readonly iteration: number;
  /** The result as text for a language model. */
  readonly text: string;
  /** The review of the items; `undefined` for a phase without items. */
  readonly review: Review | undefined;
}

export async function verifyWork<Work>(
  settings: GateSettings<Work>,
  work: Work,
  signal: AbortSignal | undefined,
): Promise<GateVerification> {
  const before = await readState(settings);
  const review =
    before.items.length > 0 ? await reviewOf(settings, before, { work, signal }) : undefined;
  const state = await readState(settings);
  const status = workStatus(settings, state, work);
  // an errored judge prevents approval, even on an item that no longer blocks
  const hasErrors = review?.assessments.some(({ verdict }) => verdict === 'errored') ?? false;
  const gate: GateStatus =
    hasErrors && status.status === 'PASS'
      ? { ...asRetry(status), unverified: erroredItems(state, review) }
      : status;
  return {
    ...gate,
    iteration: state.iteration,
    text: verifyText(gate, { reasons: reasonsOf(review) }),
    review,
  };
}

async function reviewOf<Work>(
  settings: GateSettings<Work>,
  state: ChecklistState,
  { work, signal }: { readonly work: Work; readonly signal: AbortSignal | undefined },
): Promise<Review> {
  const verdicts = new ChecklistVerdictStore(settings);
  const pipeline = gatePipeline(settings, { state, verdicts, from: state.iteration });
  const review = await pipeline.review(taskOf(settings), { cycle: 0, work }, signal && { signal });
  await verdicts.settle();
  return review;
}

/** The items passed, but the review did not. */
export function asRetry(status: GateStatus): GateStatus {
  return { ...status, status: 'FAIL', loop: ChecklistLoopState.RETRY };
}

export function reasonsOf(review: Review | undefined): ReadonlyMap<string, string> {
  const reasons = new Map<string, string>();
  for (const assessment of review?.assessments ?? []) {
    if (assessment.verdict === 'undecided')
      reasons.set(assessment.criterion, `undecided: ${assessment.reason}`);
    if (assessment.verdict === 'skipped')
      reasons.set(assessment.criterion, `not verified: ${assessment.reason}`);
    if (assessment.verdict === 'errored')
      reasons.set(assessment.criterion, `could not be verified: ${assessment.error.message}`);
  }
  return reasons;
}

function erroredItems({ items }: ChecklistState, review: Review | undefined): ChecklistItem[] {
  const errored = new Set(
    review?.assessments.flatMap(({ verdict, criterion }) =>
      verdict === 'errored' ? [criterion] : [],
    ),
  );
  return items.filter(({ id }) => errored.has(id));
}
