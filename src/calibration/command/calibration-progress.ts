import { headRow } from '../../cli-kit/show/live-rows.js';
import { LiveView, type ViewIo } from '../../cli-kit/show/live-view.js';
import { durationText, usageTexts } from '../../cli-kit/show/short-figures.js';
import type { Usage } from '../../core/usage.js';
import type { Clock } from '../../ports/clock.js';

/** How far a calibration is. */
interface Judged {
  readonly done: number;
  readonly total: number | undefined;
  readonly usage: Usage;
}

/** Shows how many examples are judged, what that used, and how long the rest will take. */
export class CalibrationProgress {
  readonly #view: LiveView;
  readonly #judge: string;
  #judged: Judged = { done: 0, total: undefined, usage: {} };

  constructor(io: ViewIo, judge: string, clock?: Clock) {
    this.#judge = judge;
    this.#view = new LiveView(
      io,
      {
        rows: ({ columns }) => [headRow(this.#view.elapsedMs, this.#parts(), columns)],
        heartbeat: () => [durationText(this.#view.elapsedMs), ...this.#parts()].join(', '),
      },
      clock,
    );
    this.#view.start();
  }

  /** Shows how far the calibration is. */
  update(judged: Judged): void {
    this.#judged = judged;
    this.#view.changed();
  }

  /** Ends the progress. */
  stop(): void {
    this.#view.stop();
  }

  #parts(): string[] {
    const { done, total, usage } = this.#judged;
    const judged = `${done}${total === undefined ? '' : `/${total}`} judged by ${this.#judge}`;
    return [judged, ...usageTexts(usage), ...this.#left(done, total)];
  }

  #left(done: number, total: number | undefined): string[] {
    if (total === undefined || done === 0 || done === total) return [];
    const ms = (this.#view.elapsedMs / done) * (total - done);
    return ms < 1000 ? [] : [`about ${durationText(ms)} left`];
  }
}
