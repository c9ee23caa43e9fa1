import { ReviewLoopError } from '../core/errors.js';
import type { Reviewer } from '../core/reviewer.js';
import { elapsedOn } from '../ports/clock.js';
import { ask, askReviewer, type ReviewJob, type Watch } from './ask-reviewer.js';
import { BareCheck, bareCheckOf } from './bare-check.js';
import { erroredAnswer, type ReviewerReply } from './reviewer-reply.js';
import { checkOption, timeoutOf } from './timed-call.js';
import type { WorkContext } from './work-context.js';

/** One reviewer of a tier while it works. */
class ReviewerTask<Task, Output> implements Watch {
  readonly reviewer: Reviewer<Task, Output>;
  /** Looks whether the tier can go on. */
  readonly wait: () => void;
  context: WorkContext | undefined;
  asked = false;
  /** When it was asked. */
  started = 0;
  /** The activity of its context at the last inspection, if there was one. */
  seen: number | undefined;
  answer: ReviewerReply | undefined;
  /** Takes the answer for tracers. */
  answered: ((answer: ReviewerReply) => void) | undefined;

  constructor(reviewer: Reviewer<Task, Output>, wait: () => void) {
    this.reviewer = reviewer;
    this.wait = wait;
  }

  begin(context: WorkContext): void {
    this.context = context;
    this.seen = undefined;
  }
}

/** Asks the reviewers of one tier concurrently. */
export class ReviewTier<Task, Output> {
  readonly #job: ReviewJob<Task, Output>;
  readonly #seats: readonly ReviewerTask<Task, Output>[];
  /** The reviewers that wait for their turn. */
  #unasked: readonly ReviewerTask<Task, Output>[];
  #open: number;
  #resolve: (answers: ReviewerReply[] | undefined) => void = () => {};
  #cancelTimer: () => void = () => {};
  #isWatched = false;

  constructor(job: ReviewJob<Task, Output>, reviewers: readonly Reviewer<Task, Output>[]) {
    this.#job = job;
    const look = (): void => this.#look();
    this.#seats = reviewers.map((reviewer) => new ReviewerTask(reviewer, look));
    this.#unasked = this.#seats;
    this.#open = reviewers.length;
  }

  /**
   * Returns the answers in the order of the reviewers; undefined if all open ones wait for a
   * person, or if the run has ended.
   */
  async perform(): Promise<ReviewerReply[] | undefined> {
    const { run } = this.#job;
    if (run.ended !== undefined) return undefined;
    const done = new Promise<ReviewerReply[] | undefined>((resolve) => {
      this.#resolve = resolve;
    });
    const callOff = run.onEnd(() => this.#resolve(undefined));
    this.#askReady();
    const answers = await done;
    callOff();
    this.#cancelTimer();
    return answers;
  }

  /** Asks every reviewer that has nobody to wait for. */
  #askReady(): void {
    if (this.#unasked.length === 0) return;
    const open = new Set(
      this.#seats.filter(({ answer }) => answer === undefined).map(({ reviewer }) => reviewer.id),
    );
    const ready: ReviewerTask<Task, Output>[] = [];
    const later: ReviewerTask<Task, Output>[] = [];
    for (const seat of this.#unasked)
      (seat.reviewer.after?.some((id) => open.has(id)) ? later : ready).push(seat);
    this.#unasked = later;
    for (const seat of ready) this.#ask(seat);
  }

  #ask(seat: ReviewerTask<Task, Output>): void {
    seat.asked = true;
    const { run, version } = this.#job;
    seat.started = elapsedOn(run.ports.clock);
    const { id } = seat.reviewer;
    run.emit('reviewer-start', () => ({ iteration: version.iteration, reviewer: id }));
    const check = bareCheckOf(this.#job, seat.reviewer);
    if (check !== undefined) {
      new BareCheck(this.#job, seat.reviewer, check, (answer, again) =>
        again ? this.#askAgain(seat, answer) : this.#settle(seat, answer),
      ).begin();
      return;
    }
    if (!this.#isWatched) this.#watch();
    const askWith = (answered?: (answer: ReviewerReply) => void): void => {
      seat.answered = answered;
      void askReviewer(this.#job, seat.reviewer, seat).then((asked) =>
        this.#settle(seat, asked.answered),
      );
    };
    if (run.tracer === undefined) askWith();
    else run.tracer.reviewer(seat.reviewer, version, askWith);
  }

  /** Asks as if it had asked a reviewer once. */
  #askAgain(seat: ReviewerTask<Task, Output>, first: ReviewerReply): void {
    if (!this.#isWatched) this.#watch();
    const { version: view } = this.#job;
    void ask(this.#job, seat.reviewer, { view, watch: seat }, first).then((asked) =>
      this.#settle(seat, asked.answered),
    );
  }

  #settle(seat: ReviewerTask<Task, Output>, answer: ReviewerReply): void {
    if (seat.answer !== undefined) return;
    const { run, version } = this.#job;
    seat.answer = answer;
    this.#open -= 1;
    run.emit('reviewer-end', () => ({
      iteration: version.iteration,
      reviewer: answer.reviewer,
      assessments: answer.assessments,
      reused: answer.reused,
      usage: answer.usage,
      durationMs: elapsedOn(run.ports.clock) - seat.started,
    }));
    seat.answered?.(answer);
    if (this.#job.run.ended === undefined) this.#askReady();
    this.#look();
  }

  #look(): void {
    if (this.#open === 0) this.#resolve(this.#seats.flatMap(({ answer }) => answer ?? []));
    else if (
      this.#job.run.pending.size > 0 &&
      this.#seats.every(
        ({ answer, asked, context }) => answer !== undefined || !asked || context?.waiting,
      )
    )
      this.#resolve(undefined);
  }

  /**
   * Gives up reviewers that neither answer nor make a call: the timeouts of calls cannot end them.
   */
  #watch(): void {
    const { definition } = this.#job;
    const { checkMs } = definition.timeouts;
    this.#isWatched = true;
    this.#cancelTimer = definition.clock.after(checkMs, () => {
      for (const seat of this.#seats) this.#inspect(seat, checkMs);
      if (this.#open > 0) this.#watch();
    });
  }

  #inspect(seat: ReviewerTask<Task, Output>, checkMs: number): void {
    const { reviewer, context } = seat;
    if (context === undefined || !context.idle) return;
    if (context.activity !== seat.seen) {
      seat.seen = context.activity;
      return;
    }
    const error = new ReviewLoopError(
      timeoutOf(checkOption),
      `${reviewer.id} neither answered nor made a call for ${checkMs} ms`,
      { retryable: true },
    );
    this.#settle(seat, erroredAnswer(reviewer.id, this.#job.version.digest, error));
  }
}
