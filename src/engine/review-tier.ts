import { ReviewLoopError } from '../core/errors.js';
import type { Reviewer } from '../core/reviewer.js';
import { elapsedOn } from '../ports/clock.js';
import type { Watch } from './ask-reviewer.js';
import { BareCheck, bareCheckOf, type CheckHost } from './bare-check.js';
import { erroredAnswer, noWait, type ReviewerReply } from './reviewer-reply.js';
import { checkOption, timeoutOf } from './timed-call.js';
import type { ReviewJob } from './verdict-cache.js';
import type { WorkContext } from './work-context.js';

class ReviewerTask<Task, Output> implements Watch {
  readonly reviewer: Reviewer<Task, Output>;
  readonly wait: () => void;
  context: WorkContext | undefined;
  asked = false;
  /** When it was asked, if anybody listened. */
  started: number | undefined;
  /** The activity of its context at the last inspection, if there was one. */
  seen: number | undefined;
  answer: ReviewerReply | undefined;
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

const none: readonly never[] = Object.freeze([]);

type Asking = typeof import('./ask-reviewer.js');

let asking: Asking | undefined;

/** Loaded on first use: checks of criteria need no context. */
async function loadAsking(): Promise<Asking> {
  asking = await import('./ask-reviewer.js');
  return asking;
}

export class ReviewTier<Task, Output> implements CheckHost<ReviewerTask<Task, Output>> {
  readonly #job: ReviewJob<Task, Output>;
  readonly #seats: readonly ReviewerTask<Task, Output>[];
  #unasked: readonly ReviewerTask<Task, Output>[];
  #open: number;
  #resolve: (answers: ReviewerReply[] | undefined) => void = noWait;
  #cancelTimer: () => void = noWait;
  #isWatched = false;
  #isDone = false;

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
  perform(): Promise<ReviewerReply[] | undefined> {
    const { run } = this.#job;
    if (run.ended !== undefined) return Promise.resolve(undefined);
    return new Promise<ReviewerReply[] | undefined>((resolve) => {
      const callOff = run.onEnd(() => this.#resolve(undefined));
      this.#resolve = (answers) => {
        this.#isDone = true;
        callOff();
        this.#cancelTimer();
        resolve(answers);
      };
      this.#askReady();
    });
  }

  /** Asks every reviewer that has nobody to wait for. */
  #askReady(): void {
    if (this.#unasked.length === 0) return;
    const waiting = this.#unasked;
    const later: readonly ReviewerTask<Task, Output>[] = waiting.some(
      ({ reviewer }) => reviewer.after !== undefined,
    )
      ? this.#notReady(waiting)
      : none;
    this.#unasked = later;
    for (const seat of waiting) if (!later.includes(seat)) this.#ask(seat);
  }

  #notReady(waiting: readonly ReviewerTask<Task, Output>[]): ReviewerTask<Task, Output>[] {
    const open = new Set(
      this.#seats.filter(({ answer }) => answer === undefined).map(({ reviewer }) => reviewer.id),
    );
    return waiting.filter(({ reviewer }) => reviewer.after?.some((id) => open.has(id)));
  }

  #ask(seat: ReviewerTask<Task, Output>): void {
    seat.asked = true;
    const { run, version } = this.#job;
    if (run.hears('reviewer-end')) seat.started = elapsedOn(run.ports.clock);
    const { id } = seat.reviewer;
    run.emit('reviewer-start', () => ({ iteration: version.iteration, reviewer: id }));
    const check = bareCheckOf(this.#job, seat.reviewer);
    if (check === undefined) this.#askInContext(seat);
    else new BareCheck(this.#job, seat, check, this).begin();
  }

  #askInContext(seat: ReviewerTask<Task, Output>): void {
    const { run, version } = this.#job;
    if (!this.#isWatched) this.#watch();
    const askWith = (answered?: (answer: ReviewerReply) => void): void => {
      seat.answered = answered;
      void this.#answerOf(({ askReviewer }) => askReviewer(this.#job, seat.reviewer, seat)).then(
        (asked) => this.#settle(seat, asked.answered),
      );
    };
    if (run.tracer === undefined) askWith();
    else run.tracer.reviewer(seat.reviewer, version, askWith);
  }

  take(seat: ReviewerTask<Task, Output>, answer: ReviewerReply, again: boolean): void {
    if (again) this.#askAgain(seat, answer);
    else this.#settle(seat, answer);
  }

  #answerOf<Asked>(ask: (asking: Asking) => Promise<Asked>): Promise<Asked> {
    return asking === undefined ? loadAsking().then(ask) : ask(asking);
  }

  /** Asks as if it had asked a reviewer once. */
  #askAgain(seat: ReviewerTask<Task, Output>, first: ReviewerReply): void {
    if (!this.#isWatched) this.#watch();
    const { version: view } = this.#job;
    void this.#answerOf(({ ask }) =>
      ask(this.#job, seat.reviewer, { view, watch: seat }, first),
    ).then((asked) => this.#settle(seat, asked.answered));
  }

  #settle(seat: ReviewerTask<Task, Output>, answer: ReviewerReply): void {
    if (seat.answer !== undefined) return;
    const { run } = this.#job;
    seat.answer = answer;
    this.#open -= 1;
    if (run.hears('reviewer-end')) this.#tell(seat, answer);
    seat.answered?.(answer);
    if (run.ended === undefined) this.#askReady();
    this.#look();
  }

  #tell({ started }: ReviewerTask<Task, Output>, answer: ReviewerReply): void {
    const { run, version } = this.#job;
    const { iteration } = version;
    const { reviewer, assessments, reused, usage } = answer;
    const now = elapsedOn(run.ports.clock);
    const durationMs = now - (started ?? now);
    const told = { iteration, reviewer, assessments, reused, usage, durationMs };
    run.emit('reviewer-end', () => told);
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
      if (this.#open > 0 && !this.#isDone) this.#watch();
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
