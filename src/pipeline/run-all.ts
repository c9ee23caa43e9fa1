import { messageOf, ReviewLoopError } from '../core/errors.js';
import { checkKeys, checkWhole, invalid } from '../core/options.js';
import type { Outcome } from '../core/outcome.js';
import type { RunOptions } from '../engine/run-pipeline.js';
import type { Pipeline } from './pipeline-options.js';

/** How many tasks are run. */
export interface BatchOptions<Item> extends Omit<RunOptions, 'runId'> {
  /** The run's id for a task, so that a batch can be continued. @default a new id */
  readonly runIdOf?: ((task: Item) => string) | undefined;
  /** How many runs are under way at a time. @default the limiter's concurrency, 64 at most; 1 where the pipeline has a workspace */
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
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * for await (const { task, outcome } of runAll(article, ['tea', 'coffee'])) console.log(task, outcome.status);
 * ```
 */
export async function* runAll<Task, Output, Item extends Task>(
  pipeline: Pick<Pipeline<Task, Output>, 'run' | 'concurrency'>,
  tasks: Iterable<Item> | AsyncIterable<Item>,
  batch: BatchOptions<Item> = {},
): AsyncGenerator<BatchResult<Item, Output>> {
  const { runIdOf, concurrency = pipeline.concurrency, ...options } = batch;
  checkKeys('runAll', options, ['store', 'signal']);
  checkWhole('concurrency', concurrency, 1);
  if (runIdOf !== undefined && typeof runIdOf !== 'function')
    throw invalid('runIdOf', 'a function', runIdOf);
  if (!isIterable(tasks)) throw invalid('tasks', 'something to iterate over', tasks);
  const total = sizeOf(tasks);
  const source =
    Symbol.asyncIterator in tasks ? tasks[Symbol.asyncIterator]() : tasks[Symbol.iterator]();
  const perform = async (task: Item): Promise<Done<Item, Output>> => {
    try {
      return {
        task,
        outcome: await pipeline.run(task, { ...options, ...(runIdOf && { runId: runIdOf(task) }) }),
      };
    } catch (error) {
      return { task, outcome: misused<Output>(error) };
    }
  };
  const window = new Window(perform);
  const fill = async (): Promise<boolean> => {
    while (window.open < concurrency) {
      const next = await source.next();
      if (next.done === true) return false;
      window.start(next.value);
    }
    return true;
  };
  let more = true;
  let done = 0;
  try {
    do {
      more &&= await fill();
      for (const result of await window.finished()) yield { ...result, done: ++done, total };
    } while (more || window.open > 0);
  } finally {
    if (more) await source.return?.();
  }
}

interface Done<Item, Output> {
  readonly task: Item;
  readonly outcome: Outcome<Output>;
}

/** Work that is under way, and what of it is done and not yet taken. */
class Window<Item, Result> {
  readonly #perform: (item: Item) => Promise<Result>;
  #done: Result[] = [];
  #wake: (() => void) | undefined;
  /** How many were started and are not yet taken. */
  open = 0;

  constructor(perform: (item: Item) => Promise<Result>) {
    this.#perform = perform;
  }

  start(item: Item): void {
    this.open += 1;
    void this.#perform(item).then((result) => {
      this.#done.push(result);
      this.#wake?.();
    });
  }

  /** Takes what is done, at least one where any is under way. */
  async finished(): Promise<readonly Result[]> {
    if (this.#done.length === 0 && this.open > 0) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const taken = this.#done;
    this.#done = [];
    this.open -= taken.length;
    return taken;
  }
}

function isIterable(tasks: unknown): boolean {
  return (
    (typeof tasks === 'object' &&
      tasks !== null &&
      (Symbol.asyncIterator in tasks || Symbol.iterator in tasks)) ||
    typeof tasks === 'string'
  );
}

/** How many tasks there are, where that can be told. */
function sizeOf(tasks: unknown): number | undefined {
  if (Array.isArray(tasks)) return tasks.length;
  return tasks instanceof Set || tasks instanceof Map ? tasks.size : undefined;
}

/** The outcome of a task that could not even be started. */
function misused<Output>(thrown: unknown): Outcome<Output> {
  const error =
    thrown instanceof ReviewLoopError
      ? thrown
      : new ReviewLoopError('invalid_options', messageOf(thrown), { cause: thrown });
  return {
    runId: '',
    status: 'failed',
    approved: false,
    code: error.code,
    reason: error.message,
    reviews: [],
    usage: { produce: {}, review: {}, address: {} },
    error,
    output: undefined,
  };
}
