import * as z from 'zod';
import { VerifiedAssessments } from '../core/assessment.js';
import { digestOf } from '../core/json.js';
import type { Reviewer, ReviewerContext } from '../core/reviewer.js';
import { type ChecklistItem, type ChecklistPhase, isMacro } from './checklist.js';
import { readState } from './checklist-store.js';
import type { ChecklistVerdictStore } from './checklist-verdict-store.js';
import type { GateSettings } from './gate-settings.js';
import { isBlocking } from './gate-status.js';
import { assessmentOf } from './item-verdicts.js';
import { itemVerifier } from './item-verifier.js';
import { itemIn } from './transitions.js';

/** The task of a gate's reviews. */
export interface GateTask {
  readonly phase: ChecklistPhase;
  readonly request?: string | undefined;
}

/** Returns the task of a gate's reviews. */
export function taskOf<Work>({ phase, request }: GateSettings<Work>): GateTask {
  return { phase, ...(request !== undefined && { request }) };
}

/** The output that a gate reviews: the work after a number of fixes. */
export interface GateOutput<Work> {
  /** The number of fixes so far. It distinguishes equal versions before and after a fix. */
  readonly cycle: number;
  readonly work: Work;
}

export type ItemReviewer<Work> = Reviewer<GateTask, GateOutput<Work>> & {
  readonly scope: NonNullable<Reviewer<GateTask, GateOutput<Work>>['scope']>;
};

/** The record of a review's verifications. */
export interface Verification {
  readonly verdicts: Pick<ChecklistVerdictStore, 'begin'>;
  /** The iteration of the state at the first review. */
  readonly from: number;
}

/**
 * Returns the items of a phase as reviewers. Items of scope `*` run one after another within their
 * tier, all others run concurrently.
 */
export function itemReviewers<Work>(
  settings: GateSettings<Work>,
  items: readonly ChecklistItem[],
  verification: Verification,
): ItemReviewer<Work>[] {
  const lastMacro = new Map<string, string>();
  return items.map((item) => {
    const reviewer = itemReviewer(settings, item, verification);
    if (!isMacro(item)) return reviewer;
    const before = lastMacro.get(reviewer.tier);
    lastMacro.set(reviewer.tier, item.id);
    return before === undefined ? reviewer : { ...reviewer, after: [before] };
  });
}

function itemReviewer<Work>(
  settings: GateSettings<Work>,
  item: ChecklistItem,
  { verdicts, from }: Verification,
): ItemReviewer<Work> {
  const { blocking, trustUnhashed } = settings;
  const verifier = itemVerifier(settings, item);
  return {
    id: item.id,
    version: digestOf([item.check, item.scope, verifier.version]).slice(0, 16),
    tier: verifier.tier,
    scope: ({ output }) => verifier.view(output.work),
    review: async ({ output: view }, context) => {
      const iteration = from + context.iteration - 1;
      const state = await readState(settings);
      const now = itemIn(state, item.id);
      const staysFailed =
        now.status === 'FAIL' &&
        (now.accepted !== undefined ||
          !isBlocking(now, iteration - (state.unchanged ?? 0), blocking));
      const isTrusted = now.status === 'PASS' && now.about === undefined && trustUnhashed;
      if (staysFailed || isTrusted) return knownResult(now, context);
      verdicts.begin(item.id, iteration);
      return verifier.verify(view, now, context);
    },
  };
}

/** Returns the existing result of an item. It counts as verified and is not stored again. */
async function knownResult(
  item: ChecklistItem,
  context: ReviewerContext,
): Promise<VerifiedAssessments> {
  await context.check(z.literal(true), () => true);
  return new VerifiedAssessments(assessmentOf(item));
}
