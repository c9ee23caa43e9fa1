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

  async of<Task, Output>(
    job: Judging<Task, Output>,
    judge: Judge<Task, Output>,
    ask: Ask,
  ): Promise<ReviewerReply> {
    const { reviewer, view } = judge;
    // a reviewer without a scope also reads the earlier reviews, which differ in every iteration
    if (reviewer.scope === undefined) return this.#askOverRuns(job, judge, ask);
    const key = `${reviewer.id}\u0000${reviewer.version}\u0000${view.digest}`;
    const known = this.#ofRun.get(key);
    if (known !== undefined) return { ...known, reused: true };
    const answered = await this.#askOverRuns(job, judge, ask);
    if (answered.assessments.every(({ verdict }) => verdict !== 'errored'))
      this.#ofRun.set(key, answered);
    return answered;
  }

  /** Returns the verdict that the verdict store has, if it may be used, or asks. */
  async #askOverRuns<Task, Output>(
    job: Judging<Task, Output>,
    judge: Judge<Task, Output>,
    ask: Ask,
  ): Promise<ReviewerReply> {
    const { verdicts } = job.definition;
    if (verdicts === undefined || judge.reviewer.reuse === 'run')
      return (await ask(noWait)).answered;
    return (await this.#overRuns()).of({ ...job, store: verdicts }, judge, ask);
  }

  /** Loaded on first use: most pipelines have no verdict store. */
  #overRuns(): Promise<StoredVerdicts> {
    this.#stored ??= import('./stored-verdicts.js').then(
      ({ StoredVerdicts }) => new StoredVerdicts(),
    );
    return this.#stored;
  }
}
