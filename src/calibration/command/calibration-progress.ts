import { durationText, headRow, usageTexts } from '../../cli-kit/show/live-rows.js';
import { LiveView, type ViewIo } from '../../cli-kit/show/live-view.js';
import type { Usage } from '../../core/usage.js';
import type { Clock } from '../../ports/clock.js';

/** How far a calibration is. */
interface Judged {
  readonly done: number;
  readonly usage: Usage;
}

/** Shows how many examples are judged, what that used, and how long the rest will take. */
export class CalibrationProgress {
  readonly #view: LiveView;
  readonly #judge: string;
  readonly #total: number;
  #judged: Judged = { done: 0, usage: {} };

  constructor(
    io: ViewIo,
    about: { readonly judge: string; readonly total: number; readonly clock?: Clock },
  ) {
    const { judge, total, clock } = about;
    this.#judge = judge;
    this.#total = total;
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
    const { done, usage } = this.#judged;
    const judged = `${done}/${this.#total} judged by ${this.#judge}`;
    return [judged, ...usageTexts(usage), ...this.#left(done)];
  }

  #left(done: number): string[] {
    if (done === 0 || done >= this.#total) return [];
    const ms = (this.#view.elapsedMs / done) * (this.#total - done);
    return ms < 1000 ? [] : [`about ${durationText(ms)} left`];
  }
}
