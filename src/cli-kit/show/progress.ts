import type { ReviewEventName, ReviewEvents } from '../../core/event.js';
import { plural } from '../../core/plural.js';
import { type Clock, systemClock } from '../../ports/clock.js';
import { redactSecrets } from '../../redact/secrets.js';
import { overallOf } from '../../reports/report-review.js';
import { overallText } from '../../reports/score-text.js';
import { countsText, verdictCounts } from '../../reports/verdict-counts.js';
import { oneLine } from '../../terminal/sanitise.js';
import type { Io } from '../io.js';

/** How often progress is shown in milliseconds: as a changing line, or as lines of a terminal or log. */
const redrawMs = 200;
const terminalMs = 2000;
const plainMs = 5000;

/** A pipeline with events. */
interface Followed {
  readonly on: <Name extends ReviewEventName>(event: Name, listener: ReviewEvents[Name]) => void;
}

/** Shows progress on the standard error: one changing line on a terminal, plain lines elsewhere. */
export class Progress {
  readonly #io: Pick<Io, 'err' | 'errColumns' | 'status'>;
  readonly #clock: Clock;
  readonly #startedAt: number;
  readonly #open = new Set<string>();
  #iteration = 1;
  #total = 0;
  #done = 0;
  #stopped = false;
  #drawnAt = 0;
  #waiting = '';
  #cancel: (() => void) | undefined;

  constructor(io: Pick<Io, 'err' | 'errColumns' | 'status'>, clock: Clock = systemClock) {
    this.#io = io;
    this.#clock = clock;
    this.#startedAt = clock.now();
  }

  /** Follows the runs of a pipeline until `stop`. */
  follow(pipeline: Followed): void {
    pipeline.on('review-start', ({ iteration, reviewers }) => this.#begin(iteration, reviewers));
    pipeline.on('reviewer-start', ({ reviewer }) => {
      this.#open.add(reviewer);
      this.#drawSoon();
    });
    pipeline.on('reviewer-end', ({ reviewer }) => {
      this.#open.delete(reviewer);
      this.#done += 1;
      this.#drawSoon();
    });
    pipeline.on('review-end', ({ review }) =>
      this.line(
        [
          `review ${review.iteration}: ${countsText(verdictCounts(review.assessments))}`,
          plural(review.gaps.length, 'gap'),
          `overall ${overallText({ ...review.scores, overall: overallOf(review) })}`,
          this.#elapsed(),
        ].join(', '),
      ),
    );
    pipeline.on('address-start', ({ iteration, gaps }) =>
      this.line(`review ${iteration}: addressing ${plural(gaps, 'gap')}`),
    );
    pipeline.on('budget-warn', ({ message }) => this.line(message));
    this.#tick();
  }

  /** Shows what the command waits for, until `stop`. Without a terminal it waits before it does. */
  waitFor(what: string): void {
    this.#waiting = what;
    if (this.#onTerminal) this.#draw();
    this.#tick();
  }

  /** Prints a permanent line, unless progress has stopped: an answer replays earlier events. */
  line(text: string): void {
    if (this.#stopped) return;
    this.#io.err(`${oneLine(redactSecrets(text))}\n`);
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel?.();
    this.#io.status?.('');
  }

  get #onTerminal(): boolean {
    return this.#io.status !== undefined;
  }

  get #everyMs(): number {
    if (this.#onTerminal) return redrawMs;
    return this.#io.errColumns === undefined ? plainMs : terminalMs;
  }

  #begin(iteration: number, reviewers: number): void {
    this.#iteration = iteration;
    this.#total = reviewers;
    this.#done = 0;
    this.#open.clear();
    this.#draw();
  }

  #tick(): void {
    this.#cancel = this.#clock.after(this.#everyMs, () => {
      this.#draw();
      this.#tick();
    });
  }

  /** Draws now if the last line is old: timers do not fire while checks compute. */
  #drawSoon(): void {
    if (this.#clock.now() - this.#drawnAt >= this.#everyMs) this.#draw();
  }

  #draw(): void {
    if (this.#stopped) return;
    this.#drawnAt = this.#clock.now();
    const { status } = this.#io;
    if (status === undefined) this.line(this.#status());
    else status(oneLine(this.#status()));
  }

  /** Returns what changes first, so that a narrow terminal shows it. */
  #status(): string {
    const { errColumns = 200 } = this.#io;
    const elapsed = this.#elapsed();
    if (this.#waiting !== '') return `${elapsed}, ${this.#waiting}`;
    if (this.#total === 0) return `${elapsed}, no check was asked yet`;
    const width = this.#onTerminal ? Math.max(0, Math.min(20, errColumns - 60)) : 0;
    const filled = Math.round((this.#done / this.#total) * width);
    const bar = width === 0 ? '' : `[${'#'.repeat(filled)}${'.'.repeat(width - filled)}] `;
    const checks = `${bar}asked ${this.#done} of ${this.#total} checks`;
    return `${elapsed} review ${this.#iteration}: ${checks}${judging([...this.#open])}`;
  }

  #elapsed(): string {
    return `${((this.#clock.now() - this.#startedAt) / 1000).toFixed(1)} s`;
  }
}

function judging(open: readonly string[]): string {
  if (open.length === 0) return '';
  const shown = open.slice(0, 3).join(', ');
  return `, judging ${shown}${open.length > 3 ? ` and ${open.length - 3} more` : ''}`;
}
