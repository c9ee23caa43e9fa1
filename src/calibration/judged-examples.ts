import { ReviewLoopError } from '../core/errors.js';
import { digestOf } from '../core/json.js';
import type { Reviewer } from '../core/reviewer.js';
import { addUsage, type Usage } from '../core/usage.js';
import { runAll } from '../pipeline/run-all.js';
import type { CalibrateOptions, IdentifiedExample } from './calibrate-options.js';
import type { JudgedExample, JudgedRun } from './calibration-record.js';
import { judgedRun, judgePipeline, type Trial } from './judge-pipeline.js';

/**
 * Runs a judge over examples, each as often as `repetitions` says.
 *
 * @throws ReviewLoopError `cancelled`
 */
export async function judgedExamples<Task, Output>(
  reviewer: Reviewer<Task, Output>,
  examples: readonly IdentifiedExample<Task, Output>[],
  options: CalibrateOptions,
): Promise<readonly JudgedExample[]> {
  const { store, signal, repetitions = 1 } = options;
  const runs = examples.map((): JudgedRun[] => []);
  const places = trialsOf(examples, repetitions);
  const batch = runAll(judgePipeline(reviewer, options), [...places.keys()], {
    ...(store !== undefined && {
      store,
      runIdOf: (trial) =>
        `calibrate.${digestOf([reviewer.id, reviewer.version, trial]).slice(0, 40)}`,
    }),
    ...(signal !== undefined && { signal }),
  });
  let used: Usage = {};
  for await (const { task: trial, outcome, done, total } of batch) {
    if (outcome.status === 'cancelled')
      throw outcome.error ?? new ReviewLoopError('cancelled', 'the calibration was cancelled');
    const list = runs[places.get(trial) ?? -1];
    if (list !== undefined) list[trial.repetition] = judgedRun(outcome);
    used = addUsage(used, outcome.usage.review);
    options.onProgress?.({ done, total, usage: used });
  }
  return examples.map(({ id, label }, index) => ({
    id,
    good: label === 'pass',
    runs: runs[index] ?? [],
  }));
}

/** Returns all trials with the index of their example; one repetition of all examples at a time. */
function trialsOf<Task, Output>(
  examples: readonly IdentifiedExample<Task, Output>[],
  repetitions: number,
): Map<Trial<Task, Output>, number> {
  const rounds = Array.from({ length: repetitions }, (_, repetition) =>
    examples.map(({ task, output }, index) => [{ task, output, repetition }, index] as const),
  );
  return new Map(rounds.flat());
}
