import type { Reviewer } from '../core/reviewer.js';
import { EditCounts } from './edit-counts.js';
import {
  type Ask,
  type Judge,
  type Judging,
  noWait,
  type ReviewerReply,
} from './reviewer-reply.js';
import type { StoredVerdicts } from './stored-verdicts.js';

/**
 * The verdicts of one run and of the verdict store. A reviewer is asked only if no verdict on equal
 * data is cached. Confirming judges are always asked.
 */
export class VerdictCache {
  /** By reviewer id, reviewer version and view. */
  readonly #ofRun = new Map<string, ReviewerReply>();
  /** Of reviewers that count edits. */
  readonly edits = new EditCounts();
  #stored: Promise<StoredVerdicts> | undefined;

  /** Returns whether verdicts of a reviewer are cached at all. */
  concern<Task, Output>(
    { definition }: Judging<Task, Output>,
    { tier, scope, reuse }: Reviewer<Task, Output>,
  ): boolean {
    return (
      definition.reuse &&
      tier !== 'confirm' &&
      (scope !== undefined || (definition.verdicts !== undefined && reuse !== 'run'))
    );
  }

  /** Returns the cached verdict of a reviewer, or asks. */
  async of<Task, Output>(
    job: Judging<Task, Output>,
    { reviewer, view }: Judge<Task, Output>,
    ask: Ask,
  ): Promise<ReviewerReply> {
    const { verdicts } = job.definition;
    // a reviewer without a scope also reads the earlier reviews, which differ in every iteration
    const key =
      reviewer.scope === undefined
        ? undefined
        : `${reviewer.id}\u0000${reviewer.version}\u0000${view.digest}`;
    const known = key === undefined ? undefined : this.#ofRun.get(key);
    if (known !== undefined) return { ...known, reused: true };
    const answered =
      verdicts === undefined || reviewer.reuse === 'run'
        ? (await ask(noWait)).answered
        : await (await this.#overRuns()).of({ ...job, store: verdicts }, { reviewer, view }, ask);
    if (key !== undefined && answered.assessments.every(({ verdict }) => verdict !== 'errored'))
      this.#ofRun.set(key, answered);
    return answered;
  }

  /** Loaded on first use: most pipelines have no verdict store. */
  #overRuns(): Promise<StoredVerdicts> {
    this.#stored ??= import('./stored-verdicts.js').then(
      ({ StoredVerdicts }) => new StoredVerdicts(),
    );
    return this.#stored;
  }
}
