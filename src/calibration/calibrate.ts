import { ReviewLoopError } from '../core/errors.js';
import { digestOf } from '../core/json.js';
import type { LLMProvider } from '../core/llm-provider.js';
import { checkKeys, checkPositive, checkWhole, invalid } from '../core/options.js';
import { addUsage, type Usage } from '../core/usage.js';
import { runAll } from '../pipeline/run-all.js';
import { type Clock, systemClock } from '../ports/clock.js';
import type { Limiter } from '../ports/limiter.js';
import type { Random } from '../ports/random.js';
import type { Store } from '../ports/store.js';
import type { Calibration } from './calibration.js';
import { calibrationRecord, type JudgedExample, type JudgedRun } from './calibration-record.js';
import { checkConfidence } from './interval.js';
import {
  type CalibratableJudge,
  judgedRun,
  judgePipeline,
  judgeReviewer,
  type Trial,
} from './judge-pipeline.js';

/** An example with the label of a person. */
export interface LabelledExample<Task = unknown, Output = unknown> {
  /** Unique name of the example. @default '#1', '#2' and so on, by position */
  readonly id?: string | undefined;
  readonly task: Task;
  readonly output: Output;
  /** `pass` for good work. */
  readonly label: 'pass' | 'fail';
}

/** Options of {@link calibrate}. */
export interface CalibrateOptions {
  /** Id of a judge that is a plain function. @default the name of the function */
  readonly id?: string | undefined;
  /** Version of a judge that is a plain function. @default a hash of the text of the function */
  readonly version?: string | undefined;
  /** Default provider for a judge that needs a model. @default undefined */
  readonly provider?: LLMProvider | undefined;
  /** How often each example is judged, from 1; `flipRate` needs 2. @default 1 */
  readonly repetitions?: number | undefined;
  /** Records every verdict, so that an interrupted calibration can continue. @default none */
  readonly store?: Store | undefined;
  /** Limits concurrent calls. @default the limiter of the process */
  readonly limiter?: Limiter | undefined;
  /** How often a failed judge is retried, from 0. @default 1 */
  readonly retries?: number | undefined;
  /** Timeout of one call, in milliseconds; above 0. @default 60000 */
  readonly timeoutMs?: number | undefined;
  /** Confidence level of the intervals, between 0 and 1. @default 0.95 */
  readonly confidence?: number | undefined;
  /** Resamples of a bootstrap interval, from 1. @default 2000 */
  readonly resamples?: number | undefined;
  /** Seed of the resampling, from 0. @default 1 */
  readonly seed?: number | undefined;
  /** Source of time. @default systemClock */
  readonly clock?: Clock | undefined;
  /** Source of ids and nonces. @default systemRandom */
  readonly random?: Random | undefined;
  /** Cancels the calibration. @default none */
  readonly signal?: AbortSignal | undefined;
  /** Called after every run. @default none */
  readonly onProgress?:
    | ((progress: {
        readonly done: number;
        readonly total: number | undefined;
        /** What all runs have used so far. */
        readonly usage: Usage;
      }) => void)
    | undefined;
}

const optionNames = [
  'id',
  'version',
  'provider',
  'repetitions',
  'store',
  'limiter',
  'retries',
  'timeoutMs',
  'confidence',
  'resamples',
  'seed',
  'clock',
  'random',
  'signal',
  'onProgress',
];

/**
 * Runs a judge over labelled examples and returns how reliable it is. Failed runs are counted
 * separately: they are neither passes nor failures.
 *
 * @throws ReviewLoopError `invalid_options`, `provider_missing`, `not_json`, `cancelled`
 * @example
 * ```ts
 * const calibration = await calibrate(clear, labelled, { provider, repetitions: 2 });
 * console.log(calibration.tnr, calibration.notes);
 * ```
 */
export async function calibrate<Task, Output>(
  judge: CalibratableJudge<Task, Output>,
  labelled: readonly LabelledExample<Task, Output>[],
  options: CalibrateOptions = {},
): Promise<Calibration> {
  const {
    repetitions = 1,
    confidence = 0.95,
    resamples = 2000,
    seed = 1,
    clock = systemClock,
    provider,
    store,
  } = checkedOptions(options);
  const examples = checkedExamples(labelled);
  const reviewer = judgeReviewer(judge, options);
  const pipeline = judgePipeline(reviewer, options);
  const runs = examples.map((): JudgedRun[] => []);
  const places = trialsOf(examples, repetitions);
  const batch = runAll(pipeline, [...places.keys()], {
    ...(store !== undefined && {
      store,
      runIdOf: (trial) =>
        `calibrate.${digestOf([reviewer.id, reviewer.version, trial]).slice(0, 40)}`,
    }),
    ...(options.signal !== undefined && { signal: options.signal }),
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
  const judged = examples.map(
    ({ id, label }, index): JudgedExample => ({
      id,
      good: label === 'pass',
      runs: runs[index] ?? [],
    }),
  );
  return calibrationRecord(judged, {
    judge: { id: reviewer.id, version: reviewer.version, ...modelOf(provider) },
    at: new Date(clock.now()).toISOString(),
    labels: digestOf(examples),
    repetitions,
    confidence,
    seed,
    resamples,
  });
}

function modelOf(
  provider: LLMProvider | undefined,
): Pick<Calibration['judge'], 'provider' | 'model'> {
  if (provider === undefined) return {};
  return {
    provider: provider.id,
    ...(provider.model !== undefined && { model: provider.model }),
  };
}

function checkedOptions(options: CalibrateOptions): CalibrateOptions {
  if (typeof options !== 'object' || options === null)
    throw invalid('options', 'an object', options);
  checkKeys('calibrate', options, optionNames);
  checkWhole('repetitions', options.repetitions ?? 1, 1);
  checkWhole('retries', options.retries ?? 1, 0);
  checkWhole('resamples', options.resamples ?? 2000, 1);
  checkWhole('seed', options.seed ?? 1, 0);
  checkPositive('timeoutMs', options.timeoutMs);
  checkConfidence(options.confidence ?? 0.95);
  return options;
}

type IdentifiedExample<Task, Output> = Required<LabelledExample<Task, Output>> & {
  readonly id: string;
};

function checkedExamples<Task, Output>(
  labelled: readonly LabelledExample<Task, Output>[],
): IdentifiedExample<Task, Output>[] {
  if (!Array.isArray(labelled) || labelled.length === 0)
    throw invalid('labelled', 'a list of at least one example { task, output, label }', labelled);
  return labelled.map((example: LabelledExample<Task, Output>, index) => {
    if (typeof example !== 'object' || example === null || !('output' in example))
      throw invalid(`labelled[${index}]`, '{ task, output, label }', example);
    if (example.label !== 'pass' && example.label !== 'fail')
      throw invalid(`labelled[${index}].label`, "'pass' or 'fail'", example.label);
    return {
      id: example.id ?? `#${index + 1}`,
      task: example.task ?? (null as Task),
      output: example.output,
      label: example.label,
    };
  });
}

/** Returns all trials with the index of their example; one repetition of all examples at a time. */
function trialsOf<Task, Output>(
  examples: readonly IdentifiedExample<Task, Output>[],
  repetitions: number,
): Map<Trial<Task, Output>, number> {
  const seen = new Map<string, number>();
  const numbered = examples.map(({ task, output }, index) => {
    const digest = digestOf([task, output]);
    const twin = seen.get(digest) ?? 0;
    seen.set(digest, twin + 1);
    return { task, output, twin, index };
  });
  const rounds = Array.from({ length: repetitions }, (_, repetition) =>
    numbered.map(({ index, ...example }) => [{ ...example, repetition }, index] as const),
  );
  return new Map(rounds.flat());
}
