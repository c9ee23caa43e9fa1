import { hashText } from '../core/hash.js';
import type { Review } from '../core/review.js';
import type { ReviewerContext } from '../core/reviewer.js';
import type { Run } from './run.js';
import type { WorkOptions } from './run-options.js';

type View = 'runId' | 'iteration' | 'signal' | 'previous' | 'best' | 'nonce';

export class RunView implements Pick<ReviewerContext, View> {
  readonly #run: Run;
  readonly #options: WorkOptions;

  constructor(run: Run, options: WorkOptions) {
    this.#run = run;
    this.#options = options;
  }

  get runId(): string {
    return this.#run.id;
  }

  get iteration(): number {
    return this.#run.iteration;
  }

  get signal(): AbortSignal {
    return this.#run.signal;
  }

  get previous(): readonly Review[] {
    return this.#options.previous ?? [];
  }

  get best(): ReviewerContext['best'] {
    return this.#options.best;
  }

  /** A nonce for each review: texts of earlier reviews may contain theirs. */
  get nonce(): string {
    return hashText(`${this.#run.nonce}\u0000${this.#run.iteration}`).slice(0, 32);
  }
}
