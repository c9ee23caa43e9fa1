import type { Io } from '../../cli-kit/io.js';
import { plural } from '../../core/plural.js';
import { type Clock, elapsedOn, systemClock } from '../../ports/clock.js';
import { oneLine, sanitise } from '../../terminal/sanitise.js';
import { cut } from '../../terminal/width.js';
import type { TaskReview } from '../task-review.js';

/** How often progress is shown, on a terminal and elsewhere, in milliseconds. */
const redrawMs = 1000;
const plainMs = 30_000;

/** Options of {@link TaskProgress}. */
export interface TaskProgressOptions {
  /** The ids of the tasks, in order. */
  readonly ids: readonly string[];
  /** Whether to show all tasks on the whole screen. */
  readonly tui: boolean;
  readonly quiet: boolean;
  /** @default the system clock */
  readonly clock?: Clock | undefined;
}

interface Running {
  readonly since: number;
  /** What happens: `working`, `testing` or `reviewing`. */
  phase: string;
}

/**
 * Shows the tasks that run, with their elapsed time, on the standard error: one changing line on a
 * terminal, plain lines elsewhere. With `tui`, it shows all tasks on the whole screen.
 */
export class TaskProgress {
  readonly #io: Pick<Io, 'err' | 'errColumns'>;
  readonly #options: TaskProgressOptions;
  readonly #clock: Clock;
  readonly #running = new Map<string, Running>();
  readonly #ended = new Map<string, string>();
  #drawn = false;
  #cancel: (() => void) | undefined;

  constructor(io: Pick<Io, 'err' | 'errColumns'>, options: TaskProgressOptions) {
    this.#io = io;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  /** Whether all tasks are shown on the whole screen. */
  get isScreen(): boolean {
    return this.#options.tui && !this.#options.quiet && this.#io.errColumns !== undefined;
  }

  /** Shows that a task runs. */
  begin(id: string, review: Pick<TaskReview, 'on'>): void {
    const running: Running = { since: elapsedOn(this.#clock), phase: 'working' };
    this.#running.set(id, running);
    const enter = (phase: string): void => {
      running.phase = phase;
    };
    review.on('reviewer-start', ({ reviewer }) =>
      enter(reviewer === 'review' ? 'reviewing' : 'testing'),
    );
    review.on('address-start', () => enter('working'));
    if (this.#options.quiet) return;
    if (this.#io.errColumns === undefined) this.#io.err(`${sanitise(id)}: running\n`);
    this.#draw();
    this.#cancel ??= this.#tick();
  }

  /** Shows that a task has ended. */
  end(id: string, line: string): void {
    this.#running.delete(id);
    this.#ended.set(id, line);
    if (this.isScreen) this.#draw();
    else this.clear();
    if (this.#running.size === 0) this.#stop();
  }

  /** Removes the changing line, so that something else can be written. */
  clear(): void {
    if (this.#drawn) this.#io.err(this.isScreen ? '\u001b[2J\u001b[H' : '\r\u001b[K');
    this.#drawn = false;
  }

  /** Ends the progress, for example while a person is asked. */
  stop(): void {
    this.#stop();
    this.clear();
  }

  #stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #tick(): () => void {
    const { errColumns } = this.#io;
    return this.#clock.after(errColumns === undefined ? plainMs : redrawMs, () => {
      if (errColumns === undefined)
        for (const [id, running] of this.#running)
          this.#io.err(`${sanitise(id)}: ${this.#state(running)}\n`);
      else this.#draw();
      this.#cancel = this.#tick();
    });
  }

  #draw(): void {
    const { errColumns } = this.#io;
    if (errColumns === undefined) return;
    const inWidth = (text: string): string => cut(oneLine(text), Math.max(0, errColumns - 1));
    if (this.isScreen) {
      const rows = this.#options.ids.map((id) => inWidth(this.#row(id)));
      this.#io.err(`\u001b[2J\u001b[H${rows.join('\n')}\n`);
    } else this.#io.err(`\r\u001b[K${inWidth(this.#summary())}`);
    this.#drawn = true;
  }

  #row(id: string): string {
    const running = this.#running.get(id);
    return running === undefined
      ? (this.#ended.get(id) ?? `${id}: pending`)
      : `${id}: ${this.#state(running)}`;
  }

  #summary(): string {
    const { ids } = this.#options;
    const now = [...this.#running].map(([id, running]) => `${id} ${this.#state(running)}`);
    return [`${this.#ended.size} of ${plural(ids.length, 'task')} ended`, ...now].join(', ');
  }

  #state({ since, phase }: Running): string {
    return `${phase}, ${Math.floor((elapsedOn(this.#clock) - since) / 1000)} s`;
  }
}
