import type { Definition } from '../engine/definition.js';
import { brokenEnding, outcomeOf } from '../engine/ending.js';
import { type Ports, Run } from '../engine/run.js';
import type { RunOptions } from '../engine/run-pipeline.js';
import { messageOf, ReviewLoopError } from '../kernel/errors.js';
import { checkWhole } from '../kernel/options.js';
import type { Outcome } from '../kernel/outcome.js';

/** How many tasks are run. */
export interface BatchOptions<Item> extends Omit<RunOptions, 'runId'> {
  /** The run's id for a task, so that a batch can be continued. @default a new id */
  readonly runIdOf?: ((task: Item) => string) | undefined;
  /** How many runs are under way at a time. @default the limiter's concurrency, 64 at most */
  readonly concurrency?: number | undefined;
}

/** One task of a batch that is done. */
export interface BatchResult<Item, Output> {
  readonly task: Item;
  readonly outcome: Outcome<Output>;
  /** How many tasks are done, this one included, */
  readonly done: number;
  /** of how many, where the tasks have a known number. */
  readonly total: number | undefined;
}

/**
 * Runs tasks, a bounded number at a time, and gives each outcome as soon as it is there. Tasks are taken when there is
 * room for them, and a task that fails, even by misuse, stops none of the others.
 */
export async function* runAll<Task, Output, Item extends Task>(
  definition: Definition<Task, Output>,
  run: (task: Task, options: RunOptions) => Promise<Outcome<Output>>,
  tasks: Iterable<Item> | AsyncIterable<Item>,
  { runIdOf, concurrency = Math.min(64, definition.limiter.concurrency), ...options }: BatchOptions<Item>,
): AsyncGenerator<BatchResult<Item, Output>> {
  checkWhole('concurrency', concurrency, 1);
  const total = Array.isArray(tasks) ? tasks.length : tasks instanceof Set || tasks instanceof Map ? tasks.size : undefined;
  const source = Symbol.asyncIterator in tasks ? tasks[Symbol.asyncIterator]() : tasks[Symbol.iterator]();
  const finished: { readonly task: Item; readonly outcome: Outcome<Output> }[] = [];
  let wake = (): void => {};
  let running = 0;
  let done = 0;
  let more = true;
  const start = async (task: Item): Promise<void> => {
    running += 1;
    try {
      finished.push({ task, outcome: await run(task, { ...options, ...(runIdOf && { runId: runIdOf(task) }) }) });
    } catch (error) {
      finished.push({ task, outcome: misused<Output>(definition, error) });
    }
    wake();
  };
  try {
    for (;;) {
      while (more && running < concurrency) {
        const next = await source.next();
        if (next.done === true) more = false;
        else void start(next.value);
      }
      if (running === 0) return;
      if (finished.length === 0) await new Promise<void>((resolve) => void (wake = resolve));
      for (const result of finished.splice(0)) {
        running -= 1;
        done += 1;
        yield { ...result, done, total };
      }
    }
  } finally {
    if (more) await source.return?.();
  }
}

/** The outcome of a task that could not even be started. */
function misused<Output>(ports: Ports, error: unknown): Outcome<Output> {
  const known = error instanceof ReviewLoopError ? error : new ReviewLoopError('invalid_options', messageOf(error), { cause: error });
  return outcomeOf(new Run({ id: '', nonce: '' }, ports, undefined), brokenEnding<Output>(known, undefined));
}
