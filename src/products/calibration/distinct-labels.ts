import { ReviewLoopError } from '../../core/errors.js';
import { digestOf } from '../../core/json.js';
import { invalid } from '../../core/options.js';
import { plural } from '../../core/plural.js';
import type { IdentifiedExample } from './calibrate-options.js';

export interface LabelledOnce<Item> {
  readonly kept: readonly Item[];
  /** How many further items have the same key and the same label. */
  readonly repeated: number;
  /** How many items have a key with both labels: it is unknown which one is right. */
  readonly contradictory: number;
}

/** Keeps one item for each key, and none for a key with both labels. */
export function labelledOnce<Item extends { readonly label: string }>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
): LabelledOnce<Item> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  const agreed = [...groups.values()].filter((group) =>
    group.every(({ label }) => label === group[0]?.label),
  );
  const inAgreed = agreed.reduce((sum, group) => sum + group.length, 0);
  return {
    kept: agreed.flatMap(([first]) => first ?? []),
    repeated: inAgreed - agreed.length,
    contradictory: items.length - inAgreed,
  };
}

export interface DistinctExamples<Task, Output> {
  readonly examples: readonly IdentifiedExample<Task, Output>[];
  readonly notes: readonly string[];
}

/**
 * Leaves each work in once: a copy shows nothing new, and makes intervals too narrow. Work with both
 * labels is left out, because it is unknown what it is.
 */
export function distinctExamples<Task, Output>(
  given: readonly IdentifiedExample<Task, Output>[],
): DistinctExamples<Task, Output> {
  const { kept: examples, repeated, contradictory } = labelledOnce(given, workDigest);
  if (examples.length === 0)
    throw invalid('labelled', 'at least one example with one label', 'both labels for each');
  return {
    examples,
    notes: (
      [
        [repeated, 'a copy of another one shows nothing new'],
        [contradictory, 'the same output has both labels'],
      ] as const
    ).flatMap(([count, why]) =>
      count > 0 ? [`${plural(count, 'example')} left out: ${why}`] : [],
    ),
  };
}

function workDigest({ id, task, output }: IdentifiedExample<unknown, unknown>): string {
  try {
    return digestOf({ task, output });
  } catch (error) {
    if (!(error instanceof ReviewLoopError)) throw error;
    throw new ReviewLoopError('not_json', `example ${id}: ${error.what}`, { cause: error });
  }
}
