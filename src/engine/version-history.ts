import type { Gap } from '../core/gap.js';
import type { ParentReview } from '../core/gap-identity.js';
import { copyJson, digestJson } from '../core/json.js';
import type { Evidence, JudgeIdentity, UndecidedReview } from '../core/policy.js';
import type { BestVersion } from '../core/reviewer.js';
import { digestWith, type Version } from '../core/version.js';
import type { Reviewed } from './review-version.js';
import type { Run } from './run.js';
import type { VerdictCache } from './verdict-cache.js';

export interface JudgedVersion<Output> {
  readonly version: Version<Output>;
  readonly review: UndecidedReview;
}

export interface ProducedVersion<Output> {
  readonly output: Output;
  readonly tree: string | undefined;
}

export class VersionHistory<Output> {
  readonly #run: Run;
  readonly #judges: readonly JudgeIdentity[];
  readonly #iterations = new Map<string, number>();
  readonly #seenGaps = new Set<string>();
  #verdicts: Promise<VerdictCache> | undefined;
  best: JudgedVersion<Output> | undefined;
  latest: JudgedVersion<Output> | undefined;
  /** New gaps of the last attempt, if it did not become the best version. */
  regressed: readonly Gap[] = [];
  proposals: readonly unknown[] = [];
  proposedTree: string | undefined;

  constructor(run: Run, judges: readonly JudgeIdentity[]) {
    this.#run = run;
    this.#judges = judges;
  }

  /** Loads the verdicts on first use: most reviewers read each version anew. */
  readonly verdicts = (): Promise<VerdictCache> => {
    this.#verdicts ??= import('./verdict-cache.js').then(({ VerdictCache }) => new VerdictCache());
    return this.#verdicts;
  };

  /** Freezes a copy. */
  versionOf(
    { output, tree }: ProducedVersion<Output>,
    parent: string | undefined,
  ): Version<Output> {
    const copied = copyJson(output, { freeze: true });
    return {
      digest: digestWith(digestJson(copied), tree),
      iteration: this.#iterations.size + 1,
      parent,
      output: copied,
      tree,
    };
  }

  reviewedIn(digest: string): number | undefined {
    return this.#iterations.get(digest);
  }

  get bestSoFar(): BestVersion | undefined {
    return (
      this.best &&
      Object.freeze({ iteration: this.best.version.iteration, output: this.best.version.output })
    );
  }

  get seenGaps(): ReadonlySet<string> {
    return this.#seenGaps;
  }

  /** With the gaps that may still be there. */
  parentOf({ parent }: Version<Output>): ParentReview | undefined {
    const judged = [this.best, this.latest].find(
      (candidate) => candidate?.version.digest === parent,
    );
    if (judged === undefined) return undefined;
    const { gaps, closed = [] } = judged.review;
    const unknown = closed.filter(({ lifecycle }) => lifecycle === 'unknown');
    return { gaps: [...gaps, ...unknown], output: judged.version.output };
  }

  evidence(review: UndecidedReview): Evidence {
    return this.#run.shown({
      iteration: review.iteration,
      review: review,
      best: this.best?.review ?? review,
      history: this.#run.reviews,
      spent: this.#run.shown(this.#run.ledger.spent),
      judges: this.#judges,
    });
  }

  take(
    judged: JudgedVersion<Output>,
    best: JudgedVersion<Output>,
    { proposals, proposedTree }: Pick<Reviewed, 'proposals' | 'proposedTree'>,
  ): void {
    this.proposals = proposals;
    this.proposedTree = proposedTree;
    const { version, review } = judged;
    this.#iterations.set(version.digest, version.iteration);
    for (const gap of review.gaps) this.#seenGaps.add(gap.id);
    this.latest = judged;
    this.best = best;
    this.regressed = best === judged ? none : Object.freeze(newGaps(review, best.review));
  }
}

const none: readonly never[] = Object.freeze([]);

function newGaps({ gaps }: UndecidedReview, earlier: UndecidedReview): Gap[] {
  const known = new Set(earlier.gaps.map((gap) => gap.id));
  return gaps.filter((gap) => !known.has(gap.id));
}
