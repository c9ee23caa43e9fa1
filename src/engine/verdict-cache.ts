import { digestJson, digestOf } from '../core/json.js';
import type { Review } from '../core/review.js';
import {
  type StoredVerdict,
  StoredVerdictSchema,
  type VerdictInputs,
  type VerdictStore,
  verdictKey,
} from '../ports/verdict-store.js';
import { begin, inFlight } from './calls-in-flight.js';
import type { Judge, Judging, ReviewerReply } from './reviewer-reply.js';
import type { Run } from './run.js';
import { recordStep, replayStep } from './step-record.js';
import { putVerdict, takeVerdict, type VerdictPlace } from './verdict-exchange.js';
import { within } from './with-deadline.js';

/** What asking gave, and whether it may stand for asking again in another run. */
export interface Asked {
  readonly answered: ReviewerReply;
  readonly lasting: boolean;
}

/** Asks a reviewer. `onWait` is called when it begins to wait for a person, for as long as that takes. */
export type Ask = (onWait: () => void) => Promise<Asked>;

/** For who does not care about waiting. */
export const noWait = (): void => {};

/** The verdicts that a store keeps over runs, as one run uses them. */
export class KeptVerdicts {
  #task: string | undefined;
  #history:
    | { readonly reviews: readonly Review[]; readonly digest: string | undefined }
    | undefined;

  /** The kept verdict of a reviewer over equal data, else what asking gives, which is kept. */
  async of<Task, Output>(
    job: Judging<Task, Output> & { readonly store: VerdictStore },
    judge: Judge<Task, Output>,
    ask: Ask,
  ): Promise<ReviewerReply> {
    const { store } = job;
    const about = this.#about(job, judge);
    if (about === undefined) return (await ask(noWait)).answered;
    const place: VerdictPlace = { store, key: verdictKey(about), about, run: job.run };
    const step = {
      name: `iter:${job.version.iteration}/verdict:${about.reviewer}`,
      input: place.key,
    };
    const recorded = job.run.journal?.resumed
      ? replayStep(job.run, step, StoredVerdictSchema)?.value
      : undefined;
    if (recorded !== undefined) return answerOf(recorded);
    const flight = inFlight(store, place.key);
    if (flight !== undefined) await over(flight, job.run);
    const land = begin(store, place.key);
    try {
      const taken = wasAsked(job, about) ? undefined : await takeVerdict(place);
      if (taken !== undefined) {
        // so that a resumed run takes the same, whatever the store holds then
        await recordStep(job.run, step, { value: taken, usage: undefined });
        return answerOf(taken);
      }
      const { answered, lasting } = await ask(land);
      if (lasting) await putVerdict(place, answered);
      return answered;
    } finally {
      land();
    }
  }

  /** All that a verdict may depend on; `undefined` where that cannot be told. */
  #about<Task, Output>(
    { run, task }: Judging<Task, Output>,
    { reviewer, view }: Judge<Task, Output>,
  ): VerdictInputs | undefined {
    const { id, version, scope } = reviewer;
    this.#task ??= digestJson(task);
    const about: VerdictInputs = { reviewer: id, version, task: this.#task, view: view.digest };
    if (scope !== undefined || run.reviews.length === 0) return about;
    if (this.#history?.reviews !== run.reviews)
      this.#history = { reviews: run.reviews, digest: historyDigest(run.reviews) };
    const history = this.#history.digest;
    return history === undefined ? undefined : { ...about, history };
  }
}

/** Whether it was asked before this run was resumed: its own answer is replayed, whatever other runs have been told since. */
function wasAsked<Task, Output>(
  { run, version }: Judging<Task, Output>,
  { reviewer }: VerdictInputs,
): boolean {
  return (
    run.journal?.resumed === true &&
    run.journal.began(`iter:${version.iteration}/review:${reviewer}/`)
  );
}

/** Waits while another run of this process asks the same: once, and for as long as a check may take. */
async function over(flight: Promise<void>, { ports }: Run): Promise<void> {
  await within(ports.clock, ports.timeouts.checkMs, 'another run that asks the same', flight).catch(
    () => {},
  );
}

function answerOf({ about, assessments, usage }: StoredVerdict): ReviewerReply {
  return {
    reviewer: about.reviewer,
    assessments,
    proposal: undefined,
    view: about.view,
    reused: true,
    usage,
  };
}

/** The digest of what earlier reviews say, without times and costs. Errors are no data; with one among them nothing is reused. */
function historyDigest(reviews: readonly Review[]): string | undefined {
  if (reviews.some(({ assessments }) => assessments.some(({ verdict }) => verdict === 'errored')))
    return undefined;
  try {
    return digestOf(
      reviews.map(
        ({ at: _at, durationMs: _durationMs, usage: _usage, reused: _reused, ...judged }) => judged,
      ),
    );
  } catch {
    return undefined;
  }
}
