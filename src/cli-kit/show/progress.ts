import type { ReviewEventName, ReviewEvents } from '../../core/event.js';
import { type Clock, systemClock } from '../../ports/clock.js';
import { redactSecrets } from '../../redact/secrets.js';
import { overallOf } from '../../reports/report-review.js';
import { overallText } from '../../reports/score-text.js';
import { countsText, verdictCounts } from '../../reports/verdict-counts.js';
import { oneLine } from '../../terminal/sanitise.js';
import { cut } from '../../terminal/width.js';
import type { Io } from '../io.js';
import { plural } from './short-texts.js';

/** How often progress is shown, on a terminal and elsewhere, in milliseconds. */
const redrawMs = 200;
const plainMs = 5000;

/** A pipeline with events. */
interface Followed {
  readonly on: <Name extends ReviewEventName>(event: Name, listener: ReviewEvents[Name]) => void;
}

/** Shows progress on the standard error: one changing line on a terminal, plain lines elsewhere. */
export class Progress {
  readonly #io: Pick<Io, 'err' | 'errColumns'>;
  readonly #clock: Clock;
  readonly #startedAt: number;
  readonly #open = new Set<string>();
  #iteration = 1;
  #total = 0;
  #done = 0;
  #drawn = false;
  #cancel: (() => void) | undefined;

  constructor(io: Pick<Io, 'err' | 'errColumns'>, clock: Clock = systemClock) {
    this.#io = io;
    this.#clock = clock;
    this.#startedAt = clock.now();
  }

  /** Follows the runs of a pipeline until `stop`. */
  follow(pipeline: Followed): void {
    pipeline.on('review-start', ({ iteration, reviewers }) => this.#begin(iteration, reviewers));
    pipeline.on('reviewer-start', ({ reviewer }) => void this.#open.add(reviewer));
    pipeline.on('reviewer-end', ({ reviewer }) => {
      this.#open.delete(reviewer);
      this.#done += 1;
      if (this.#onTerminal) this.#draw();
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

  /** Prints a permanent line. */
  line(text: string): void {
    this.#clear();
    this.#io.err(`${oneLine(redactSecrets(text))}\n`);
  }

  stop(): void {
    this.#cancel?.();
    this.#clear();
  }

  get #onTerminal(): boolean {
    return this.#io.errColumns !== undefined;
  }

  #begin(iteration: number, reviewers: number): void {
    this.#iteration = iteration;
    this.#total = reviewers;
    this.#done = 0;
    this.#open.clear();
    if (!this.#onTerminal) this.line(this.#status());
  }

  #tick(): void {
    this.#cancel = this.#clock.after(this.#onTerminal ? redrawMs : plainMs, () => {
      this.#draw();
      this.#tick();
    });
  }

  #draw(): void {
    const { errColumns } = this.#io;
    if (errColumns === undefined) {
      this.line(this.#status());
      return;
    }
    this.#io.err(`\r\u001b[K${cut(oneLine(this.#status()), errColumns - 1)}`);
    this.#drawn = true;
  }

  #clear(): void {
    if (this.#drawn) this.#io.err('\r\u001b[K');
    this.#drawn = false;
  }

  #status(): string {
    const width = 20;
    const filled = this.#total === 0 ? 0 : Math.round((this.#done / this.#total) * width);
    const bar = this.#onTerminal ? `[${'#'.repeat(filled)}${'.'.repeat(width - filled)}] ` : '';
    const checks = `${bar}asked ${this.#done} of ${this.#total} checks`;
    return `review ${this.#iteration}: ${checks}${judging([...this.#open])}, ${this.#elapsed()}`;
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
