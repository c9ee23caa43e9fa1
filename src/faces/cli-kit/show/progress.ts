import type { ReviewEventName, ReviewEvents } from '../../../core/event.js';
import { plural } from '../../../core/plural.js';
import type { Review } from '../../../core/review.js';
import { addUsage, type Usage } from '../../../core/usage.js';
import { type Clock, elapsedOn, systemClock } from '../../../ports/clock.js';
import { overallText } from '../../reports/score-text.js';
import { countsText, verdictCounts } from '../../reports/verdict-counts.js';
import type { Io } from '../io.js';
import type { ExpectedTimes, JudgeTimes } from './judge-times.js';
import { durationText, LiveView, type ViewIo } from './live-view.js';
import { RunState, type RunTimes, runLine, runRows } from './run-rows.js';

interface Followed {
  readonly on: <Name extends ReviewEventName>(event: Name, listener: ReviewEvents[Name]) => void;
}

export type ProgressIo = ViewIo & Pick<Partial<Io>, 'outColumns' | 'terminal'>;

export interface ProgressOptions {
  /** @default the system clock */
  readonly clock?: Clock | undefined;
  /** Reviews up to this one were shown before. An answer replays them. @default 0 */
  readonly shown?: number | undefined;
  /**
   * Whether reviews get a line at their begin and their end. Without, a log tells only what takes
   * long.
   *
   * @default true
   */
  readonly lines?: boolean | undefined;
  /** What is reviewed, before the number of checks. @default the number of the review */
  readonly title?: string | undefined;
  /** Returns the name of a reviewer for people. @default its id */
  readonly nameOf?: ((reviewer: string) => string) | undefined;
}

/** Shows the events of a review until `stop`. */
export class Progress {
  readonly #io: ProgressIo;
  readonly #clock: Clock;
  readonly #view: LiveView;
  readonly #state = new RunState();
  readonly #shown: number;
  readonly #lines: boolean;
  readonly #names: Pick<ProgressOptions, 'title' | 'nameOf'>;
  #expected: ExpectedTimes = new Map<string, number>();
  /** The line about the last review, which the report repeats if no review follows. */
  #last: string | undefined;

  constructor(io: ProgressIo, options: ProgressOptions = {}) {
    const { clock = systemClock, shown = 0, lines = true, title, nameOf } = options;
    this.#io = io;
    this.#clock = clock;
    this.#shown = shown;
    this.#lines = lines;
    this.#names = { title, nameOf };
    this.#view = new LiveView(
      io,
      {
        rows: (space) => runRows(this.#state, this.#times, space),
        heartbeat: () => runLine(this.#state, this.#times),
      },
      clock,
    );
  }

  follow(pipeline: Followed): void {
    const state = this.#state;
    const now = (): number => elapsedOn(this.#clock);
    pipeline.on('review-start', ({ iteration, reviewers }) => {
      state.beginReview(iteration, reviewers);
      this.#begin(iteration, reviewers);
    });
    pipeline.on('reviewer-start', ({ reviewer }) => {
      state.beginReviewer(reviewer, now());
      this.#view.changed();
    });
    pipeline.on('reviewer-end', (answer) => {
      state.endReviewer(answer.reviewer, answer, now());
      this.#view.changed();
    });
    pipeline.on('review-end', ({ review }) => this.#end(review));
    pipeline.on('address-start', ({ iteration, gaps }) => {
      state.beginPhase(`addressing ${plural(gaps, 'gap')}`, undefined, now());
      this.#follows(iteration);
      this.#say(iteration, `review ${iteration}: addressing ${plural(gaps, 'gap')}`);
    });
    pipeline.on('budget-warn', ({ message }) => this.#view.line(message));
    this.#view.start();
  }

  waitFor(what: string, judge?: string): void {
    this.#state.beginPhase(what, judge, elapsedOn(this.#clock));
    this.#view.start();
    this.#view.changed();
  }

  spend(usage: Usage): void {
    this.#state.usage = addUsage(this.#state.usage, usage);
    this.#view.changed();
  }

  /** Shows how long reviewers took in earlier runs, once that is known. */
  expect(expected: Promise<ExpectedTimes>): void {
    void expected.then((times) => {
      this.#expected = times;
    });
  }

  stop(): void {
    this.#tellLast();
    this.#view.stop();
  }

  get #times(): RunTimes {
    return {
      elapsedMs: this.#view.elapsedMs,
      now: elapsedOn(this.#clock),
      expected: this.#expected,
      ...this.#names,
    };
  }

  /** Whether the terminal shows both this progress and the report. */
  get #showsReport(): boolean {
    const { live, outColumns, terminal } = this.#io;
    return live !== undefined && (outColumns !== undefined || terminal !== undefined);
  }

  #begin(iteration: number, reviewers: number): void {
    this.#follows(iteration);
    if (this.#io.live === undefined)
      this.#say(iteration, `review ${iteration}: ${plural(reviewers, 'check')} begin`);
    this.#view.changed();
  }

  #end(review: Review): void {
    const { iteration, assessments, gaps, scores } = review;
    const text = [
      `review ${iteration}: ${countsText(verdictCounts(assessments))}`,
      plural(gaps.length, 'gap'),
      `overall ${overallText(scores)}`,
      durationText(this.#view.elapsedMs),
    ].join(', ');
    this.#state.beginPhase('deciding', undefined, elapsedOn(this.#clock));
    if (iteration <= this.#shown) return;
    this.#last = text;
    if (!this.#showsReport) this.#tellLast();
  }

  /** Another step follows, so the report does not only repeat the last review. */
  #follows(iteration: number): void {
    if (iteration > this.#shown) this.#tell(this.#last);
    this.#last = undefined;
  }

  #tellLast(): void {
    if (!this.#showsReport) this.#tell(this.#last);
    this.#last = undefined;
  }

  #tell(text: string | undefined): void {
    if (text !== undefined && this.#lines) this.#view.line(text);
  }

  #say(iteration: number, text: string): void {
    if (iteration > this.#shown && this.#lines) this.#view.line(text);
  }
}

export interface FollowedGate {
  readonly times: JudgeTimes;
  readonly quiet: boolean;
  /** What it does until the first judge is asked, and the judge that does it. */
  readonly begins: readonly [what: string, judge?: string];
  /** What is reviewed. @default nothing */
  readonly title?: string | undefined;
  /** Returns the name of a judge. @default its id */
  readonly nameOf?: ((judge: string) => string) | undefined;
  /** Sends the events of its judges. @default nobody is followed */
  readonly gate?: Followed | undefined;
}

/** Stores how long they took. */
export async function followGate<Value>(
  io: Io,
  { times, quiet, begins, title, nameOf, gate }: FollowedGate,
  review: (progress: Progress | undefined) => Promise<Value>,
): Promise<Value> {
  const progress = quiet ? undefined : new Progress(io, { lines: false, title, nameOf });
  progress?.expect(times.expected());
  if (gate !== undefined) {
    progress?.follow(gate);
    times.follow(gate);
  }
  progress?.waitFor(...begins);
  try {
    return await review(progress);
  } finally {
    progress?.stop();
    await times.save();
  }
}
