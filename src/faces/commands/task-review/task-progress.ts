import type { HumanAnswerKind } from '../../../core/human.js';
import { plural } from '../../../core/plural.js';
import { addUsage, type Usage } from '../../../core/usage.js';
import { paintFor } from '../../../node/terminal/colours.js';
import type { Space } from '../../../node/terminal/screen.js';
import { cut } from '../../../node/terminal/table.js';
import { type Clock, elapsedOn, systemClock } from '../../../ports/clock.js';
import type { ParsedTask } from '../../../products/task-review/parse-tasks.js';
import type { TaskReview } from '../../../products/task-review/task-review.js';
import type { ExpectedTimes } from '../../cli-kit/show/judge-times.js';
import {
  durationText,
  headRow,
  itemRows,
  type LiveItem,
  LiveView,
  mostRows,
  movingSign,
  usageTexts,
  type ViewIo,
} from '../../cli-kit/show/live-view.js';

export interface TaskProgressOptions {
  readonly tasks: readonly Pick<ParsedTask, 'id' | 'dependsOn'>[];
  /** Whether to show all tasks, and their results at the end only. */
  readonly tui: boolean;
  readonly quiet: boolean;
  /** @default the system clock */
  readonly clock?: Clock | undefined;
}

type Phase = 'working' | 'testing' | 'reviewing' | 'finishing' | 'asking';

interface Running {
  readonly since: number;
  phase: Phase;
  usage: Usage;
}

const judges: Partial<Record<Phase, string>> = {
  working: 'work',
  testing: 'checks',
  reviewing: 'review',
};

interface Ended {
  readonly done: boolean;
  readonly line: string;
  readonly ms: number | undefined;
}

/** A shorter expectation is not worth a word. */
const leastExpectedMs = 2000;

/** The screen always has colours where it has a block. */
const paint = paintFor(true);

/**
 * Those that run with their phase and time, those that wait and for what, and those that ended. A
 * live block on a terminal, and calm lines elsewhere.
 */
export class TaskProgress {
  readonly #io: ViewIo;
  readonly #options: TaskProgressOptions;
  readonly #clock: Clock;
  readonly #view: LiveView;
  readonly #running = new Map<string, Running>();
  readonly #ended = new Map<string, Ended>();
  #usage: Usage = {};
  #expected: ExpectedTimes = new Map<string, number>();

  constructor(io: ViewIo, options: TaskProgressOptions) {
    this.#io = io;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    const shown = {
      rows: (space: Space) => this.#rows(space),
      heartbeat: () => this.#line(),
    };
    this.#view = new LiveView(io, shown, this.#clock);
  }

  /** Whether all tasks are shown on the screen, and their results at the end only. */
  get isScreen(): boolean {
    const { tui, quiet } = this.#options;
    return tui && !quiet && this.#io.live !== undefined;
  }

  /** Shows all tasks before the first one runs. */
  start(): void {
    if (!this.#options.quiet) this.#view.start();
  }

  begin(id: string, review: Pick<TaskReview, 'on'>): void {
    const running: Running = { since: elapsedOn(this.#clock), phase: 'working', usage: {} };
    this.#running.set(id, running);
    const enter = (phase: Phase): void => {
      running.phase = phase;
      this.#view.changed();
    };
    review.on('reviewer-start', ({ reviewer }) =>
      enter(reviewer === 'review' ? 'reviewing' : 'testing'),
    );
    review.on('reviewer-end', ({ reused, usage }) => {
      if (reused) return;
      this.#usage = addUsage(this.#usage, usage);
      running.usage = addUsage(running.usage, usage);
    });
    review.on('review-end', () => enter('finishing'));
    review.on('address-start', () => enter('working'));
    if (this.#options.quiet) return;
    if (this.#io.live === undefined) this.#view.line(`${id}: running`);
    this.#view.start();
    this.#view.changed();
  }

  ask(id: string): void {
    const running = this.#running.get(id);
    if (running !== undefined) running.phase = 'asking';
    this.#view.pause();
  }

  answered(id: string, kind: HumanAnswerKind): void {
    const running = this.#running.get(id);
    if (running !== undefined) running.phase = kind === 'revise' ? 'working' : 'finishing';
    if (this.#options.quiet) return;
    if (kind === 'revise') this.#view.line(`${id}: fixing, then reviewing again`);
    this.#view.start();
  }

  expect(expected: Promise<ExpectedTimes>): void {
    void expected.then((times) => {
      this.#expected = times;
    });
  }

  end(id: string, line: string, done: boolean): void {
    const since = this.#running.get(id)?.since;
    const ms = since === undefined ? undefined : elapsedOn(this.#clock) - since;
    this.#running.delete(id);
    this.#ended.set(id, { done, line, ms });
    this.#view.changed();
  }

  stop(): void {
    this.#view.stop();
  }

  #rows({ columns, rows }: Space): string[] {
    const most = this.isScreen ? rows : Math.min(rows, mostRows);
    const { tasks } = this.#options;
    const parts = [
      `${this.#ended.size}/${plural(tasks.length, 'task')}`,
      ...usageTexts(this.#usage),
    ];
    const head = headRow(this.#view.elapsedMs, parts, columns);
    const shown = tasks.filter(({ id }) => this.isScreen || !this.#ended.has(id));
    const first =
      shown.length < most ? shown : this.#worthARow(shown).slice(0, Math.max(0, most - 2));
    const items = first.map((task) => this.#item(task));
    const rest = tasks.length - this.#ended.size - this.#running.size;
    const hidden =
      shown.length > first.length && rest > 0 ? [cut(`    ${rest} waiting`, columns)] : [];
    return [head, ...itemRows(items, { columns, paint }), ...hidden];
  }

  #worthARow(tasks: readonly TaskProgressOptions['tasks'][number][]): typeof tasks {
    const rank = (id: string): number => {
      if (this.#running.has(id)) return 0;
      const ended = this.#ended.get(id);
      return ended === undefined ? 2 : ended.done ? 3 : 1;
    };
    return [...tasks].sort((a, b) => rank(a.id) - rank(b.id));
  }

  #item({ id, dependsOn }: Pick<ParsedTask, 'id' | 'dependsOn'>): LiveItem {
    const running = this.#running.get(id);
    const ended = this.#ended.get(id);
    if (running !== undefined) {
      const sign = movingSign(this.#view.elapsedMs);
      const ms = elapsedOn(this.#clock) - running.since;
      return {
        sign,
        style: 'faint',
        name: id,
        ms,
        facts: [this.#phaseText(running), ...usageTexts(running.usage)],
      };
    }
    if (ended !== undefined) {
      const { done, line, ms } = ended;
      const text = line.startsWith(`${id}: `) ? line.slice(id.length + 2) : line;
      return { sign: done ? '✓' : '✗', style: done ? 'good' : 'bad', name: id, ms, facts: [text] };
    }
    const open = dependsOn.filter((other) => !this.#ended.has(other));
    const facts = [open.length === 0 ? 'pending' : `waits for ${open.join(', ')}`];
    return { sign: '·', style: 'faint', name: id, facts };
  }

  #phaseText({ phase }: Running): string {
    const judge = judges[phase];
    const usual = judge === undefined ? 0 : (this.#expected.get(judge) ?? 0);
    return usual < leastExpectedMs ? phase : `${phase}, usually ${durationText(usual)}`;
  }

  #line(): string {
    if (this.#running.size === 0) return '';
    const now = elapsedOn(this.#clock);
    const running = [...this.#running].map(
      ([id, { phase, since }]) => `${id} ${phase} (${durationText(now - since)})`,
    );
    const { tasks } = this.#options;
    const ended = `${this.#ended.size}/${plural(tasks.length, 'task')}`;
    const used = usageTexts(this.#usage);
    return [`${durationText(this.#view.elapsedMs)} ${ended}`, ...used, ...running].join(', ');
  }
}
