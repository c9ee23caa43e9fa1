import * as z from 'zod';
import { isJudged } from '../core/assessment.js';
import { isReviewError, messageOf, ReviewLoopError } from '../core/errors.js';
import { copyJson, digestJson, digestOf } from '../core/json.js';
import type { Review } from '../core/review.js';
import { portErrors } from '../ports/errors.js';
import {
  type StoredVerdict,
  StoredVerdictSchema,
  type VerdictInputs,
  type VerdictStore,
  verdictKey,
} from '../ports/verdict-store.js';
import {
  type Ask,
  type Judge,
  type Judging,
  noWait,
  type ReviewerReply,
} from './reviewer-reply.js';
import type { Run } from './run.js';
import { recordStep, replayStep } from './step-record.js';
import { within } from './timed-call.js';

export class StoredVerdicts {
  #task: string | undefined;
  #history:
    | { readonly reviews: readonly Review[]; readonly digest: string | undefined }
    | undefined;

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
    if (recorded !== undefined) return answerOf(recorded, judge.reviewer);
    const flight = inFlight(store, place.key);
    if (flight !== undefined) await over(flight, job.run);
    const land = begin(store, place.key);
    try {
      const taken = wasAsked(job, about) ? undefined : await takeVerdict(place);
      if (taken !== undefined) {
        // so that a resumed run takes the same verdict, even if the store has changed
        await recordStep(job.run, step, { value: taken, usage: undefined });
        return answerOf(taken, judge.reviewer);
      }
      const { answered, lasting } = await ask(land);
      if (lasting && isKept(judge.reviewer, answered)) await putVerdict(place, answered);
      return answered;
    } finally {
      land();
    }
  }

  /** Returns everything that a verdict may depend on; undefined if that is unknown. */
  #about<Task, Output>(
    { run, task }: Judging<Task, Output>,
    { reviewer, view }: Judge<Task, Output>,
  ): VerdictInputs | undefined {
    const { id, scope, grading } = reviewer;
    // a graded verdict is kept without its bar: the bar of now decides it
    const version = grading?.version ?? reviewer.version;
    this.#task ??= digestJson(task);
    const about: VerdictInputs = { reviewer: id, version, task: this.#task, view: view.digest };
    if (scope !== undefined || run.reviews.length === 0) return about;
    if (this.#history?.reviews !== run.reviews)
      this.#history = { reviews: run.reviews, digest: historyDigest(run.reviews) };
    const history = this.#history.digest;
    return history === undefined ? undefined : { ...about, history };
  }
}

/** What does not apply to a part for code never does; a model may say something else next time. */
function isKept<Task, Output>(
  { tier, scope }: Judge<Task, Output>['reviewer'],
  { assessments }: ReviewerReply,
): boolean {
  return (tier === 'code' && scope !== undefined) || assessments.some(isJudged);
}

/** Asked before this run was resumed: then the reviewer's own answer is replayed. */
function wasAsked<Task, Output>(
  { run, version }: Judging<Task, Output>,
  { reviewer }: VerdictInputs,
): boolean {
  return (
    run.journal?.resumed === true &&
    run.journal.began(`iter:${version.iteration}/review:${reviewer}/`)
  );
}

/** Waits once while another run of this process asks the same, at most `timeouts.checkMs`. */
async function over(flight: Promise<void>, { ports }: Run): Promise<void> {
  await within(ports.clock, ports.timeouts.checkMs, 'another run that asks the same', flight).catch(
    () => {},
  );
}

function answerOf<Task, Output>(
  { about, assessments, usage }: StoredVerdict,
  { grading }: Judge<Task, Output>['reviewer'],
): ReviewerReply {
  return {
    reviewer: about.reviewer,
    assessments: grading === undefined ? assessments : assessments.map(grading.decide),
    proposal: undefined,
    view: about.view,
    reused: true,
    usage,
  };
}

/**
 * Leaves out times and costs. Undefined if a review contains an error, so that nothing is reused.
 */
function historyDigest(reviews: readonly Review[]): string | undefined {
  if (reviews.some(({ assessments }) => assessments.some(({ verdict }) => verdict === 'errored')))
    return undefined;
  return digestOf(
    reviews.map(
      ({ at: _at, durationMs: _durationMs, usage: _usage, reused: _reused, ...judged }) => judged,
    ),
  );
}

export interface VerdictPlace {
  readonly store: VerdictStore;
  readonly key: string;
  readonly about: VerdictInputs;
  readonly run: Run;
}

/** Timeout of a verdict store, in milliseconds. */
const patience = 10_000;

/** An unusable verdict is logged and ignored. */
export async function takeVerdict(place: VerdictPlace): Promise<StoredVerdict | undefined> {
  const { store, key, run } = place;
  try {
    const found: unknown = await inTime(run, 'reading a cached verdict', () => store.get(key));
    return found === undefined ? undefined : checked(found, key);
  } catch (error) {
    complain(place, error, 'a cached verdict is unusable; the reviewer is asked');
    return undefined;
  }
}

/** If the store fails, only the verdict is lost. */
export async function putVerdict(
  place: VerdictPlace,
  { assessments, usage }: ReviewerReply,
): Promise<void> {
  const { store, key, about, run } = place;
  try {
    const { data } = z.safeParse(StoredVerdictSchema, {
      schema: 1,
      about,
      assessments,
      usage,
      at: run.ports.clock.now(),
    });
    if (data === undefined) return;
    const verdict = copyJson(data, { freeze: true });
    await inTime(run, 'caching a verdict', () => store.put(key, verdict));
  } catch (error) {
    complain(place, error, 'a verdict could not be cached; the run continues');
  }
}

function inTime<Value>(run: Run, what: string, work: () => Promise<Value>): Promise<Value> {
  const { clock, timeouts } = run.ports;
  return run.over(what, within(clock, Math.min(patience, timeouts.checkMs), what, work()));
}

function checked(found: unknown, key: string): StoredVerdict {
  const parsed = z.safeParse(StoredVerdictSchema, found);
  if (!parsed.success) {
    const { schema = 1 } = z.safeParse(z.object({ schema: z.number() }), found).data ?? {};
    if (schema > 1)
      throw new ReviewLoopError(portErrors.verdict_newer, `a cached verdict has schema ${schema}`);
    throw new ReviewLoopError(
      portErrors.verdict_corrupt,
      `a cached verdict is invalid: ${z.prettifyError(parsed.error)}`,
      { cause: parsed.error, value: found },
    );
  }
  if (verdictKey(parsed.data.about) !== key)
    throw new ReviewLoopError(
      portErrors.verdict_corrupt,
      'a cached verdict does not belong to its key',
      {
        value: found,
      },
    );
  return copyJson(parsed.data, { freeze: true });
}

function complain({ about, run }: VerdictPlace, error: unknown, message: string): void {
  const code = isReviewError(error) ? error.code : 'verdict_unavailable';
  run.ports.logger.warn(
    { run: run.id, reviewer: about.reviewer, code, error: messageOf(error) },
    message,
  );
}

const underWay = new WeakMap<object, Map<string, Promise<void>>>();

/** Resolves when the running work of this process ends, and never rejects. */
function inFlight(owner: object, key: string): Promise<void> | undefined {
  return underWay.get(owner)?.get(key);
}

/**
 * Marks work for a key as running, unless it is already. Returns a function that marks it as ended.
 */
function begin(owner: object, key: string): () => void {
  const flights = underWay.get(owner) ?? new Map<string, Promise<void>>();
  if (flights.has(key)) return () => {};
  underWay.set(owner, flights);
  let resolve: () => void = () => {};
  const flight = new Promise<void>((settle) => {
    resolve = settle;
  });
  flights.set(key, flight);
  return () => {
    if (flights.get(key) === flight) flights.delete(key);
    resolve();
  };
}
