import { runAll } from '../../blocks/pipeline/run-all.js';
import { differentJudges, judgesTable } from '../../blocks/reviewers/in-turn-options.js';
import { ReviewLoopError } from '../../core/errors.js';
import { digestOf } from '../../core/json.js';
import type { LLMProvider } from '../../core/llm-provider.js';
import { checkTable, givenOf, invalid, type OptionTable } from '../../core/options.js';
import type { Reviewer } from '../../core/reviewer.js';
import { addUsage, type Usage } from '../../core/usage.js';
import { systemClock } from '../../ports/clock.js';
import {
  batchTable,
  type CalibrateOptions,
  checkedExamples,
  type IdentifiedExample,
  judgeTable,
  type LabelledExample,
} from './calibrate-options.js';
import type { Calibration, JudgesCalibration } from './calibration.js';
import {
  type CalibrationFacts,
  calibrationRecord,
  firstSaid,
  type JudgedExample,
  type JudgedRun,
} from './calibration-record.js';
import { distinctExamples } from './distinct-labels.js';
import { gatesOf } from './gate.js';
import {
  type CalibratableJudge,
  judgedRun,
  judgePipeline,
  judgeReviewer,
  judgeVersion,
  type Trial,
} from './judge-pipeline.js';

export interface CalibrateJudgesOptions
  extends Omit<CalibrateOptions, 'provider' | 'id' | 'version'> {
  /** The judges. Every order of them is counted; one that is named twice counts once. */
  readonly providers: readonly LLMProvider[];
}

const table: OptionTable<CalibrateJudgesOptions> = { ...batchTable, ...judgesTable };

/**
 * Runs several judges over labelled examples and counts what each order of them lets through when
 * they are asked in turn, at each bar of their scale: calls, the share of right texts approved, and
 * the share of wrong ones among the approvals, each with its interval. Choose the judges and the bar
 * of `inTurn` by it.
 *
 * @throws ReviewLoopError `invalid_options`, `provider_missing`, `not_json`, `cancelled`
 * @example
 * ```ts
 * const { gates } = await calibrateJudges(clear, labelled, { providers: [one, two], prior: 0.15 });
 * const careful = gates.filter(({ wrong }) => wrong !== null && wrong.value < 0.03);
 * ```
 */
export async function calibrateJudges<Task, Output>(
  judge: Reviewer<Task, Output>,
  labelled: readonly LabelledExample<Task, Output>[],
  options: CalibrateJudgesOptions,
): Promise<JudgesCalibration> {
  if (typeof judge?.asks?.asking !== 'function')
    throw invalid('judge', 'a reviewer that asks a model, such as llmCriterion(...)', judge?.id);
  checkTable('calibrateJudges', table, options);
  const { providers: given, ...more } = options;
  const providers = differentJudges(given);
  const { examples, notes } = distinctExamples(checkedExamples(labelled));
  const runs: (readonly JudgedExample[])[] = [];
  const calibrations: JudgesCalibration['calibrations'] = [];
  for (const [index, provider] of providers.entries()) {
    const own: CalibrateOptions = {
      ...more,
      provider,
      onProgress: progressOf(more.onProgress, { index, of: providers.length }),
    };
    const reviewer = judge.asks.asking(provider);
    const judged = await judgedExamples(reviewer, examples, own);
    runs.push(judged);
    calibrations.push(calibrationRecord(judged, factsOf(reviewer, examples, own), notes));
  }
  const { prior = badShare(examples), confidence = 0.95 } = more;
  return {
    schema: 2,
    calibrations,
    prior,
    gates: gatesOf(
      examples.map(({ label }, index) => ({
        good: label === 'pass',
        said: runs.map((judged) => firstSaid(judged[index]?.runs ?? [])),
      })),
      { judges: providers.map(nameOf), prior, confidence },
    ),
    notes:
      more.prior === undefined
        ? [
            `the prior ${prior.toFixed(2)} is the share of bad examples: set \`prior\` unless they are a random sample of first texts`,
          ]
        : [],
  };
}

function nameOf({ id, model }: LLMProvider): string {
  return model === undefined ? id : `${id} ${model}`;
}

/** Returns the share of bad examples, which is that of wrong texts for a random sample only. */
function badShare(examples: readonly Pick<LabelledExample, 'label'>[]): number {
  return examples.filter(({ label }) => label === 'fail').length / examples.length;
}

function progressOf(
  inform: CalibrateOptions['onProgress'],
  { index, of }: { readonly index: number; readonly of: number },
): CalibrateOptions['onProgress'] {
  return (
    inform &&
    (({ done, total = 0, usage }) =>
      inform({ done: index * total + done, total: total * of, usage }))
  );
}

async function judgedExamples<Task, Output>(
  reviewer: Reviewer<Task, Output>,
  examples: readonly IdentifiedExample<Task, Output>[],
  options: CalibrateOptions,
): Promise<readonly JudgedExample[]> {
  const { store, signal, repetitions = 1 } = options;
  const judged = examples.map(({ id, label }) => ({
    ...{ id, good: label === 'pass' },
    runs: [] as JudgedRun[],
  }));
  // one repetition of all examples at a time
  const trials = new Map(
    [...Array(repetitions).keys()].flatMap((repetition) =>
      examples.map(({ task, output }, index): readonly [Trial<Task, Output>, JudgedRun[]] => [
        { task, output, repetition },
        judged[index]?.runs ?? [],
      ]),
    ),
  );
  const batch = runAll(judgePipeline(reviewer, options), [...trials.keys()], {
    ...(store !== undefined && {
      store,
      runIdOf: (trial) =>
        `calibrate.${digestOf([reviewer.id, judgeVersion(reviewer), trial]).slice(0, 40)}`,
    }),
    ...(signal !== undefined && { signal }),
  });
  let used: Usage = {};
  for await (const { task: trial, outcome, done, total } of batch) {
    if (outcome.status === 'cancelled')
      throw outcome.error ?? new ReviewLoopError('cancelled', 'the calibration was cancelled');
    const runs = trials.get(trial);
    if (runs !== undefined) runs[trial.repetition] = judgedRun(outcome, reviewer);
    used = addUsage(used, outcome.usage.review);
    options.onProgress?.({ done, total, usage: used });
  }
  return judged;
}

/**
 * Runs a judge over labelled examples and returns how reliable it is; for one that grades, also at each
 * other bar. Failed runs are counted separately: they are neither passes nor failures. An example that
 * stands twice counts once; one with both labels is left out.
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
  checkTable('calibrate', judgeTable, options);
  const { examples, notes } = distinctExamples(checkedExamples(labelled));
  const reviewer = judgeReviewer(judge, options);
  const judged = await judgedExamples(reviewer, examples, options);
  return calibrationRecord(judged, factsOf(reviewer, examples, options), notes);
}

function factsOf<Task, Output>(
  { id, version }: Pick<Reviewer<Task, Output>, 'id' | 'version'>,
  examples: readonly IdentifiedExample<Task, Output>[],
  options: CalibrateOptions,
): CalibrationFacts {
  const { repetitions = 1, confidence = 0.95, resamples = 2000, seed = 1 } = options;
  const { clock = systemClock, provider, prior = badShare(examples) } = options;
  return {
    judge: {
      id,
      version,
      ...(provider && { provider: provider.id, ...givenOf(provider, ['model']) }),
    },
    at: new Date(clock.now()).toISOString(),
    labels: digestOf(examples),
    repetitions,
    confidence,
    prior,
    seed,
    resamples,
  };
}
