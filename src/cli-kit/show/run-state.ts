import type { Assessment } from '../../core/assessment.js';
import { addUsage, type Usage } from '../../core/usage.js';
import { type VerdictCounts, verdictCounts } from '../../reports/verdict-counts.js';

/** How the answer of a reviewer ended, its worst assessment first. */
export type ReviewerEnd = 'errored' | 'failed' | 'undecided' | 'passed' | 'skipped';

/** One reviewer of a review. */
export interface ReviewerState {
  readonly name: string;
  readonly since: number;
  /** How it ended; `undefined` while it works. */
  end?: ReviewerEnd;
  /** How long it took, in milliseconds. */
  ms?: number;
  isReused?: boolean;
  usage?: Usage;
}

/** What a run does, from its events. */
export class RunState {
  readonly reviewers = new Map<string, ReviewerState>();
  /** What happens besides a review; '' during a review. */
  phase = '';
  /** Who works in the phase, if earlier runs tell about it, and since when. */
  worker: { readonly name: string; readonly since: number } | undefined;
  iteration = 0;
  /** The number of reviewers of this review. */
  total = 0;
  gaps = 0;
  usage: Usage = {};
  readonly #verdicts: { readonly verdict: Assessment['verdict'] }[] = [];

  /** Begins something besides a review. */
  beginPhase(phase: string, worker: string | undefined, now: number): void {
    this.phase = phase;
    this.worker = worker === undefined ? undefined : { name: worker, since: now };
  }

  beginReview(iteration: number, reviewers: number): void {
    this.phase = '';
    this.iteration = iteration;
    this.total = reviewers;
    this.gaps = 0;
    this.reviewers.clear();
    this.#verdicts.length = 0;
  }

  beginReviewer(name: string, now: number): void {
    this.reviewers.set(name, { name, since: now });
  }

  endReviewer(
    name: string,
    answer: {
      readonly assessments: readonly Assessment[];
      readonly reused: boolean;
      readonly usage: Usage;
    },
    now: number,
  ): void {
    const { assessments, reused, usage } = answer;
    const state = this.reviewers.get(name) ?? { name, since: now };
    this.reviewers.set(name, {
      ...state,
      end: endOf(assessments),
      ms: now - state.since,
      isReused: reused,
      usage: reused ? {} : usage,
    });
    for (const assessment of assessments) {
      this.#verdicts.push({ verdict: assessment.verdict });
      if ('gaps' in assessment) this.gaps += assessment.gaps.length;
    }
    // the cost of a cached verdict was paid before
    if (!reused) this.usage = addUsage(this.usage, usage);
  }

  /** All reviewers that were asked, in their order. */
  get asked(): ReviewerState[] {
    return [...this.reviewers.values()];
  }

  /** How many reviewers have answered. */
  get done(): number {
    return this.asked.length - this.running.length;
  }

  /** The reviewers that work, the longest first. */
  get running(): ReviewerState[] {
    return this.asked.filter(({ end }) => end === undefined);
  }

  get counts(): VerdictCounts {
    return verdictCounts(this.#verdicts);
  }
}

function endOf(assessments: readonly Assessment[]): ReviewerEnd {
  const { errored, failed, undecided, passed } = verdictCounts(assessments);
  if (errored > 0) return 'errored';
  if (failed > 0) return 'failed';
  if (undecided > 0) return 'undecided';
  return passed > 0 ? 'passed' : 'skipped';
}
