import { messageOf } from '../../../core/errors.js';
import type { LLMProvider } from '../../../core/llm-provider.js';
import { mutex } from '../../../core/mutex.js';
import { addUsage, tokensOf, type Usage } from '../../../core/usage.js';
import { sanitise } from '../../../node/terminal/sanitise.js';
import type { TaskAttempt } from '../../../ports/attempt-store.js';
import { elapsedOn, systemClock } from '../../../ports/clock.js';
import type { HumanGate } from '../../../ports/human-gate.js';
import type { ParsedTask } from '../../../products/task-review/parse-tasks.js';
import { taskStatusLine } from '../../../products/task-review/task.js';
import {
  isPermanentTaskError,
  type TaskErrorCode,
} from '../../../products/task-review/task-attempts.js';
import type { TaskResult } from '../../../products/task-review/task-result.js';
import type { TaskReview } from '../../../products/task-review/task-review.js';
import type { TaskReviewOptions } from '../../../products/task-review/task-review-options.js';
import type { Io } from '../../cli-kit/io.js';
import { JudgeTimes } from '../../cli-kit/show/judge-times.js';
import { terminalPerson } from '../../people/terminal-person.js';
import { beginTask, finishTask, isHeld } from './begin-task.js';
import { buildTaskReview, type TaskPlace } from './build-task-review.js';
import { TaskProgress } from './task-progress.js';
import type { TaskRecord, TaskSettings, TasksRun } from './task-record.js';
import { type ReportedTask, taskExitCode, taskLines } from './task-report.js';

/** Without a result, the task was not started, or was done before. */
interface TaskEnd extends ReportedTask {
  readonly aside?: string | undefined;
}

/** At most `parallel` tasks at a time. Each starts after its dependencies have ended. */
export class TaskWorker {
  readonly #io: Io;
  readonly #run: TasksRun;
  readonly #root: string;
  readonly #place: TaskPlace;
  readonly #ends = new Map<string, TaskEnd>();
  readonly #progress: TaskProgress;
  readonly #times: JudgeTimes;
  readonly #spending: TaskSpending;
  /** The task whose uncommitted work is in the repository folder. */
  #uncommitted: string | undefined;

  constructor(
    io: Io,
    run: TasksRun,
    {
      root,
      provider,
      tasks,
    }: {
      readonly root: string;
      readonly provider: LLMProvider | undefined;
      readonly tasks: readonly ParsedTask[];
    },
  ) {
    this.#io = io;
    this.#run = run;
    this.#root = root;
    this.#place = { store: run.store, provider, inTurn: mutex() };
    this.#progress = new TaskProgress(io, { tasks, tui: run.tui, quiet: run.quiet });
    this.#times = new JudgeTimes(run.store.files, 'tasks');
    this.#spending = new TaskSpending(run.settings, run.parallel);
  }

  async all(tasks: readonly ParsedTask[]): Promise<TaskEnd[]> {
    this.#progress.expect(this.#times.expected());
    this.#progress.start();
    const left = [...tasks];
    const open = new Map<string, Promise<void>>();
    while (left.length > 0 || open.size > 0) {
      const ready = left.findIndex(({ dependsOn }) =>
        dependsOn.every((id) => !open.has(id) && !left.some((task) => task.id === id)),
      );
      if (ready !== -1 && open.size < this.#run.parallel) {
        const [task] = left.splice(ready, 1);
        if (task !== undefined)
          open.set(
            task.id,
            this.#one(task)
              .then((end) => this.#ended(end))
              .finally(() => void open.delete(task.id)),
          );
      } else await Promise.race(open.values());
    }
    this.#progress.stop();
    await this.#times.save();
    return this.#shown(tasks.flatMap(({ id }) => this.#ends.get(id) ?? []));
  }

  /** Shows the results that the screen of all tasks has hidden until now. */
  async #shown(ends: TaskEnd[]): Promise<TaskEnd[]> {
    if (this.#progress.isScreen && this.#run.format === 'text')
      for (const end of ends) await this.#show(end);
    return ends;
  }

  /** Shows it once: as a result, or as progress if the results are JSON. */
  async #ended(end: TaskEnd): Promise<void> {
    this.#ends.set(end.id, end);
    const { quiet, format } = this.#run;
    const line = end.lines[0] ?? end.id;
    this.#progress.end(end.id, line, end.done);
    if (format === 'json') {
      if (!quiet && !this.#progress.isScreen) this.#io.err(`${sanitise(line)}\n`);
    } else if (!this.#progress.isScreen) await this.#show(end);
  }

  async #show({ lines }: TaskEnd): Promise<void> {
    await this.#io.out(`${lines.map(sanitise).join('\n')}\n`);
  }

  async #one(task: ParsedTask): Promise<TaskEnd> {
    try {
      return (await this.#settled(task)) ?? (await this.#perform(task));
    } catch (error) {
      if (this.#io.signal.aborted)
        return { id: task.id, done: false, exitCode: 130, lines: [`${task.id}: cancelled`] };
      return {
        id: task.id,
        done: false,
        exitCode: 1,
        lines: [`${task.id}: failed`, `  ${messageOf(error)}`],
      };
    }
  }

  /**
   * Returns the end of a task that cannot start. It is done, was rejected, or waits for another
   * task, or the folder is in use.
   */
  async #settled(task: ParsedTask): Promise<TaskEnd | undefined> {
    const attempts = this.#run.store.attempts;
    const last = await attempts.last(task.id);
    const line = taskStatusLine(task, last);
    const { anew, chosen } = this.#run;
    // a task that is named begins anew even if it is done
    if (last?.status === 'success' && !(anew && chosen !== 'all'))
      return { id: task.id, done: true, exitCode: 0, lines: [line] };
    if (isPermanentTaskError(last?.errorCode as TaskErrorCode | undefined) && chosen === 'all')
      return {
        id: task.id,
        done: false,
        exitCode: 51,
        lines: [line, `  rejected by a person; pass --task ${task.id} to do it again`],
      };
    const blocked = await this.#blocked(task);
    if (blocked === undefined) return undefined;
    const { why, exitCode = 50 } = blocked;
    return { id: task.id, done: false, exitCode, lines: [`${task.id}: not run`, `  ${why}`] };
  }

  /** What waits for a task that waits for a person is suspended too. */
  async #blocked(task: ParsedTask): Promise<{ why: string; exitCode?: number } | undefined> {
    for (const id of task.dependsOn) {
      const last = await this.#run.store.attempts.last(id);
      const exitCode = this.#ends.get(id)?.exitCode ?? codeOf(last);
      if (exitCode === 53)
        return { why: `it depends on ${id}, which waits for an answer`, exitCode };
      if (exitCode !== 0) return { why: `it depends on ${id}, which is not done` };
    }
    const spent = this.#spending.exhausted;
    if (spent !== undefined) return { why: `the budget of this command is used up (${spent})` };
    const other = this.#uncommitted;
    if (other === undefined || this.#run.parallel > 1) return undefined;
    const exitCode = this.#ends.get(other)?.exitCode === 53 ? 53 : 50;
    return { why: `the folder contains the work on ${other}`, exitCode };
  }

  async #perform(task: ParsedTask): Promise<TaskEnd> {
    const record = await beginTask(task, this.#run, { ...this.#place, root: this.#root });
    const { budget, settle } = this.#spending.allot(await this.#spentBefore(record));
    let spent: Usage = {};
    try {
      const result = await this.#review(record, { ...this.#place, budget });
      spent = reviewUsageOf(result);
      if (isHeld(record, result)) this.#uncommitted = task.id;
      const finished = await finishTask(record, result, this.#run.store);
      const { aside } = finished;
      return {
        id: task.id,
        result,
        ...(aside !== undefined && { aside }),
        done: result.success,
        exitCode: taskExitCode(result),
        lines: taskLines(task.id, result, {
          store: this.#run.store.words(this.#io.cwd),
          again: record.again,
          ...finished,
        }),
      };
    } finally {
      settle(spent);
    }
  }

  async #review(record: TaskRecord, place: TaskPlace): Promise<TaskResult> {
    const { interactive, by } = this.#run;
    const { terminal, signal } = this.#io;
    const { task, runId } = record;
    const review = await buildTaskReview(record, place);
    this.#progress.begin(task.id, review);
    followTask(this.#times, review);
    const result = await review.run(task, { runId, signal });
    if (result.status !== 'waiting' || !interactive || terminal === undefined) return result;
    const { input, output } = terminal;
    const person = terminalPerson({ by, mode: 'line', input, output });
    const told: HumanGate = {
      ask: async (...given) => {
        this.#progress.ask(task.id);
        const answer = await person.ask(...given);
        if (answer !== undefined) this.#progress.answered(task.id, answer.kind);
        return answer;
      },
    };
    return review.ask(task, result, told, { signal });
  }

  async #spentBefore({ task, runId }: TaskRecord): Promise<Usage> {
    const attempts = await this.#run.store.attempts.of(task.id);
    return attempts
      .filter((attempt) => attempt.runId === runId)
      .reduce<Usage>((sum, { reviewUsage }) => addUsage(sum, reviewUsage), {});
  }
}

/** Measures the judges of a task, and the work before its first review. */
function followTask(times: JudgeTimes, review: Pick<TaskReview, 'on'>): void {
  times.follow(review);
  const began = elapsedOn(systemClock);
  review.on('review-start', ({ iteration, replayed }) => {
    if (iteration === 1 && replayed !== true) times.add('work', elapsedOn(systemClock) - began);
  });
}

function reviewUsageOf({ attempts }: TaskResult): Usage {
  return attempts.reduce<Usage>((sum, { reviewUsage }) => addUsage(sum, reviewUsage), {});
}

/** The exit code of a task that an earlier command did; what waits for a person is suspended. */
function codeOf(last: Pick<TaskAttempt, 'status'> | undefined): number {
  return last?.status === 'success' ? 0 : last?.status === 'waiting' ? 53 : 50;
}

type Limits = NonNullable<TaskReviewOptions['budget']>;

interface Allotment {
  /** The limits of the run of the task; `undefined` without limits. */
  readonly budget: Limits | undefined;
  readonly settle: (used: Usage) => void;
}

/** Tasks that run at the same time share what is left, so that together they stay below it. */
export class TaskSpending {
  readonly #tokens: Share | undefined;
  readonly #usd: Share | undefined;
  readonly #parallel: number;
  #running = 0;

  constructor(
    { budgetTokens, budgetUsd }: Pick<TaskSettings, 'budgetTokens' | 'budgetUsd'>,
    parallel: number,
  ) {
    this.#tokens = budgetTokens === undefined ? undefined : new Share(budgetTokens);
    this.#usd = budgetUsd === undefined ? undefined : new Share(budgetUsd);
    this.#parallel = parallel;
  }

  get exhausted(): string | undefined {
    if (this.#tokens?.isUsedUp) return `--budget-tokens ${this.#tokens.limit}`;
    return this.#usd?.isUsedUp ? `--budget-usd ${this.#usd.limit}` : undefined;
  }

  /** `before` is what its run has spent in earlier commands. */
  allot(before: Usage): Allotment {
    const slots = Math.max(1, this.#parallel - this.#running);
    const tokens = this.#tokens?.take(slots);
    const usd = this.#usd?.take(slots);
    this.#running += 1;
    const budget: Limits = {
      ...(tokens && { tokens: Math.floor(tokens.amount) + (tokensOf(before) ?? 0) }),
      ...(usd && { costUsd: usd.amount + (before.costUsd ?? 0) }),
    };
    return {
      budget: Object.keys(budget).length === 0 ? undefined : budget,
      settle: (used) => {
        this.#running -= 1;
        tokens?.settle((tokensOf(used) ?? 0) - (tokensOf(before) ?? 0));
        usd?.settle((used.costUsd ?? 0) - (before.costUsd ?? 0));
      },
    };
  }
}

class Share {
  readonly limit: number;
  #left: number;

  constructor(limit: number) {
    this.limit = limit;
    this.#left = limit;
  }

  get isUsedUp(): boolean {
    return this.#left <= 0;
  }

  take(slots: number): { readonly amount: number; readonly settle: (used: number) => void } {
    const amount = this.#left / slots;
    this.#left -= amount;
    return {
      amount,
      settle: (used) => {
        this.#left += amount - Math.max(0, used);
      },
    };
  }
}
