import type { Reviewer } from '../core/reviewer.js';
import {
  type Ask,
  type Judge,
  type Judging,
  noWait,
  type ReviewerReply,
} from './reviewer-reply.js';
import type { StoredVerdicts } from './stored-verdicts.js';

/**
 * The verdicts of one run, and through it those that are kept over runs: a reviewer is asked only when no verdict over
 * equal data is known. Confirming judges always judge anew.
 */
export class VerdictCache {
  /** By reviewer id, reviewer version and view. */
  readonly #ofRun = new Map<string, ReviewerReply>();
  #stored: Promise<StoredVerdicts> | undefined;

  /** Whether a verdict of a reviewer may be known or is kept; else it is simply asked. */
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

  /** The known verdict of a reviewer whom they concern, else what asking gives. */
  async of<Task, Output>(
    job: Judging<Task, Output>,
    { reviewer, view }: Judge<Task, Output>,
    ask: Ask,
  ): Promise<ReviewerReply> {
    const { verdicts } = job.definition;
    // what reads everything also reads the earlier reviews, which differ in every round
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

  /** Loaded on first need: most pipelines have no store of verdicts. */
  #overRuns(): Promise<StoredVerdicts> {
    this.#stored ??= import('./stored-verdicts.js').then(
      ({ StoredVerdicts }) => new StoredVerdicts(),
    );
    return this.#stored;
  }
}
