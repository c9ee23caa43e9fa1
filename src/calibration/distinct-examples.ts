import { ReviewLoopError } from '../core/errors.js';
import { digestOf } from '../core/json.js';
import { invalid } from '../core/options.js';
import { plural } from '../core/plural.js';
import type { IdentifiedExample } from './calibrate-options.js';
import { labelledOnce } from './labelled-once.js';

/** Examples, each about another work. */
export interface DistinctExamples<Task, Output> {
  readonly examples: readonly IdentifiedExample<Task, Output>[];
  /** What was left out, and why. */
  readonly notes: readonly string[];
}

/**
 * Leaves each work in once: a copy shows nothing new, and makes intervals too narrow. Work with both
 * labels is left out, because it is unknown what it is.
 *
 * @throws ReviewLoopError `invalid_options` if none is left, `not_json`
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
