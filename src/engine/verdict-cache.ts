import { hashText } from '../core/hash.js';
import type { BestVersion } from '../core/reviewer.js';
import type { Version } from '../core/version.js';
import {
  type Ask,
  type Judge,
  type Judging,
  noWait,
  type ReviewerReply,
  type View,
} from './reviewer-reply.js';
import type { StoredVerdicts } from './stored-verdicts.js';

/**
 * The verdicts of one run and of the verdict store. A reviewer is asked only if no verdict on equal
 * data is cached. Confirming judges are always asked.
 */
export class VerdictCache {
  /** By reviewer id, reviewer version and view. */
  readonly #ofRun = new Map<string, ReviewerReply>();
  readonly edits = new EditCounts();
  #stored: Promise<StoredVerdicts> | undefined;

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

/** How often the text of each reviewer was edited on the way to each version of a run. */
class EditCounts {
  /** By reviewer and version. */
  readonly #known = new Map<string, { readonly view: string; readonly edits: number }>();

  /** Returns a view with its edits, which are part of its digest: verdicts depend on them. */
  of<Output>(
    reviewer: string,
    { digest, parent }: Pick<Version<unknown>, 'digest' | 'parent'>,
    view: View<Output>,
  ): View<Output> {
    const edits = parent === undefined ? 0 : this.#after(`${reviewer}\u0000${parent}`, view);
    this.#known.set(`${reviewer}\u0000${digest}`, { view: view.digest, edits });
    return { ...view, edits, digest: hashText(`${view.digest}\u0000${edits}`) };
  }

  /** A text whose earlier version is unknown counts as edited. */
  #after(key: string, { digest }: Pick<View<unknown>, 'digest'>): number {
    const before = this.#known.get(key);
    return before === undefined ? 1 : before.edits + Number(before.view !== digest);
  }
}

export interface ReviewJob<Task, Output> extends Judging<Task, Output> {
  readonly verdicts: () => Promise<VerdictCache>;
  readonly best: BestVersion | undefined;
}
