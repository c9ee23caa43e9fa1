import type { Gap } from './gap.js';
import type { HumanAnswerKind } from './human.js';

/** How a run ends that nobody approved and nothing broke. */
export type StopStatus = 'rejected' | 'escalated' | 'stalled' | 'exhausted' | 'inconclusive';

/**
 * What a policy makes of the evidence. A revision always names at least one gap. It starts from the best version, from the latest,
 * or `anew`: then `produce` is asked for another first output, which passes the same gate.
 */
export type Decision =
  | { readonly kind: 'approve'; readonly reason: string }
  /** Lets the version through although reviewers did not approve it, because they only advise. */
  | { readonly kind: 'accept'; readonly code: string; readonly reason: string }
  | {
      readonly kind: 'revise';
      readonly reason: string;
      readonly from: 'best' | 'latest' | 'anew';
      readonly blocking: readonly [Gap, ...Gap[]];
    }
  | {
      readonly kind: 'ask';
      readonly reason: string;
      readonly question: string;
      readonly allowed: readonly HumanAnswerKind[];
    }
  | {
      readonly kind: 'stop';
      readonly status: StopStatus;
      readonly code: string;
      readonly reason: string;
    };

/** Whether there is at least one. */
export function isNonEmpty<Item>(items: readonly Item[]): items is readonly [Item, ...Item[]] {
  return items.length > 0;
}
