import type { Gap } from '../core/gap.js';
import type { ParentReview } from '../core/gap-identity.js';
import { copyJson, digestJson } from '../core/json.js';
import type { Evidence, JudgeIdentity, UndecidedReview } from '../core/policy.js';
import type { BestVersion } from '../core/reviewer.js';
import { digestWith, type Version } from '../core/version.js';
import type { Reviewed } from './review-version.js';
import type { Run } from './run.js';
import { VerdictCache } from './verdict-cache.js';

/** A version with its review. */
export interface JudgedVersion<Output> {
  readonly version: Version<Output>;
  readonly finding: UndecidedReview;
}

/** An output, and what the workspace held with it. */
export interface ProducedVersion<Output> {
  readonly output: Output;
  readonly tree: string | undefined;
}

/** What a loop knows of its versions. */
export class VersionHistory<Output> {
  readonly verdicts = new VerdictCache();
  readonly #run: Run;
  readonly #judges: readonly JudgeIdentity[];
  readonly #iterations = new Map<string, number>();
  readonly #seenGaps = new Set<string>();
  best: JudgedVersion<Output> | undefined;
  latest: JudgedVersion<Output> | undefined;
  /** Gaps that the last attempt added and that cost it its place. */
  regressed: readonly Gap[] = [];
  /** What reviewers of the latest version propose as the next one. */
  proposals: readonly unknown[] = [];
  /** What the workspace held when they were made. */
  proposedTree: string | undefined;

  constructor(run: Run, reviewers: readonly JudgeIdentity[]) {
    this.#run = run;
    this.#judges = reviewers.map(({ id, version, tier }) => ({ id, version, tier }));
  }

  /** The version that an output is: a frozen copy under the digest of its content and of the workspace's. */
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

  /** The iteration in which this very content was reviewed, if it was. */
  reviewedIn(digest: string): number | undefined {
    return this.#iterations.get(digest);
  }

  /** The best version, as reviewers may see it. */
  get bestSoFar(): BestVersion | undefined {
    return (
      this.best && { iteration: this.best.version.iteration, output: this.best.version.output }
    );
  }

  get seenGaps(): ReadonlySet<string> {
    return this.#seenGaps;
  }

  /** What the version that another was made from was found to be. */
  parentOf({ parent }: Version<Output>): ParentReview | undefined {
    const judged = [this.best, this.latest].find(
      (candidate) => candidate?.version.digest === parent,
    );
    return judged && { gaps: judged.finding.gaps, output: judged.version.output };
  }

  evidence(finding: UndecidedReview): Evidence {
    return {
      iteration: finding.iteration,
      review: finding,
      best: this.best?.finding ?? finding,
      history: this.#run.reviews,
      spent: this.#run.ledger.spent,
      judges: this.#judges,
    };
  }

  /** Takes in a review; `better` tells whether its version is now the best. */
  take(
    judged: JudgedVersion<Output>,
    better: boolean,
    { proposals, proposedTree }: Pick<Reviewed, 'proposals' | 'proposedTree'>,
  ): void {
    this.proposals = proposals;
    this.proposedTree = proposedTree;
    const { version, finding } = judged;
    this.#iterations.set(version.digest, version.iteration);
    for (const gap of finding.gaps) this.#seenGaps.add(gap.id);
    this.latest = judged;
    if (better) this.best = judged;
    const known = new Set(this.best?.finding.gaps.map((gap) => gap.id));
    this.regressed = better ? [] : finding.gaps.filter((gap) => !known.has(gap.id));
  }
}
