import { messageOf, ReviewLoopError } from '../../core/errors.js';
import { call, checkKeys, checkPlain, checkWhole, invalid } from '../../core/options.js';
import type { Outcome } from '../../core/outcome.js';
import type { RunOptions } from '../../engine/run-options.js';
import type { Pipeline } from './pipeline-options.js';

export interface BatchOptions<Item> extends Omit<RunOptions, 'runId' | 'release'> {
  /** Returns the run id of a task, so that a batch can be continued. @default a new id */
  readonly runIdOf?: ((task: Item) => string) | undefined;
  /**
   * The greatest number of concurrent runs.
   *
   * @default the limiter's concurrency, at most 64; 1 if the pipeline has a workspace
   */
  readonly concurrency?: number | undefined;
}

/** One finished task of a batch. */
export interface BatchResult<Item, Output> {
  /** The task as `tasks` returned it. */
  readonly task: Item;
  /** The outcome of its run; `failed` with an empty `runId` if it could not start. */
  readonly outcome: Outcome<Output>;
  /** How many tasks are finished, including this one. */
  readonly done: number;
  /** How many tasks the batch has; undefined unless `tasks` is an array, a Set or a Map. */
  readonly total: number | undefined;
}

/**
 * Runs many tasks with bounded concurrency. Outcomes arrive in the order they finish. It takes the
 * next task only when it can start it. A task that fails, even by misuse, does not stop the others.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * for await (const { task, outcome } of runAll(article, ['tea', 'coffee']))
 *   console.log(task, outcome.status);
 * ```
 */
export async function* runAll<Task, Output, Item extends Task>(
  pipeline: Pick<Pipeline<Task, Output>, 'run' | 'concurrency'>,
  tasks: Iterable<Item> | AsyncIterable<Item>,
  batch: BatchOptions<Item> = {},
): AsyncGenerator<BatchResult<Item, Output>> {
  checkPlain('runAll', batch);
  const { runIdOf, concurrency = pipeline.concurrency, ...options } = batch;
  checkKeys('runAll', options, ['store', 'signal', 'on']);
  checkWhole('concurrency', concurrency, 1);
  if (runIdOf !== undefined) call('runIdOf', runIdOf);
  if (!isIterable(tasks))
    throw invalid('tasks', 'a list, or something else to iterate over', tasks);
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

class Window<Item, Result> {
  readonly #perform: (item: Item) => Promise<Result>;
  #done: Result[] = [];
  #wake: (() => void) | undefined;
  /** The number of items that were started and whose results were not taken. */
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

  /** Takes all results; waits for one if none is ready and work is running. */
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

/** A text is not a batch: it is one task that lacks its brackets. */
function isIterable(tasks: unknown): boolean {
  return (
    typeof tasks === 'object' &&
    tasks !== null &&
    (Symbol.asyncIterator in tasks || Symbol.iterator in tasks)
  );
}

/** Undefined if only iterating would show it. */
function sizeOf(tasks: unknown): number | undefined {
  if (Array.isArray(tasks)) return tasks.length;
  return tasks instanceof Set || tasks instanceof Map ? tasks.size : undefined;
}

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
