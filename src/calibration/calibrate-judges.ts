import { ReviewLoopError } from '../core/errors.js';
import { digestOf } from '../core/json.js';
import type { LLMProvider } from '../core/llm-provider.js';
import { checkRange, checkTable, checkWhole, invalid, type OptionTable } from '../core/options.js';
import type { Reviewer } from '../core/reviewer.js';
import { addUsage, type Usage } from '../core/usage.js';
import { runAll } from '../pipeline/run-all.js';
import { systemClock } from '../ports/clock.js';
import { type Passes, turnTable } from '../reviewers/in-turn-options.js';
import { checkOpenShare } from './approval-label.js';
import {
  batchTable,
  type CalibrateOptions,
  checkedExamples,
  checkedOptions,
  type IdentifiedExample,
  type LabelledExample,
} from './calibrate-options.js';
import type { Calibration } from './calibration.js';
import {
  type CalibrationFacts,
  calibrationRecord,
  type JudgedExample,
  type JudgedRun,
} from './calibration-record.js';
import { distinctExamples } from './distinct-examples.js';
import { type Interval, quantileOf, wilsonInterval } from './interval.js';
import { judgeName } from './judge-name.js';
import {
  type CalibratableJudge,
  judgedRun,
  judgePipeline,
  judgeReviewer,
  type Trial,
} from './judge-pipeline.js';
import type { JudgesCalibration, JudgesFigure } from './judges-calibration.js';
import { type Assumed, fitJudges, type JudgedText, type JudgesFit } from './judges-fit.js';
import { seededRandom } from './seeded-random.js';

/** Options of {@link calibrateJudges}. */
export interface CalibrateJudgesOptions
  extends Omit<CalibrateOptions, 'provider' | 'id' | 'version'> {
  /** The judges, in the order of their turns. */
  readonly providers: readonly LLMProvider[];
  /** How often each judge judges each example; from 1 to 1000. @default 2 */
  readonly repetitions?: number | undefined;
  /**
   * The share of first texts that are wrong.
   *
   * @default the share of bad examples, which is right only for a random sample of first texts
   */
  readonly prior?: number | undefined;
  /** The share of wrong texts that an edit repairs. @default 0.5, an assumption */
  readonly fix?: number | undefined;
  /** The share of right texts that an edit breaks. @default 0.2, an assumption */
  readonly damage?: number | undefined;
  /** The passes whose risk is predicted. @default 4 first, 6 edited */
  readonly passes?: Passes | undefined;
  /** Resamples of the intervals, from 1 to 100000. @default 200 */
  readonly resamples?: number | undefined;
}

const table: OptionTable<CalibrateJudgesOptions> = {
  ...{ ...batchTable, ...turnTable, prior: checkOpenShare, fix: checkRange, damage: checkRange },
};

/**
 * Runs several judges over labelled examples, more than once each, and returns how reliable they
 * are together: rates, how alike they vote, and the risk that this predicts for an approval, each
 * with its interval. `model` is what `riskOf` and `withinRisk` take.
 *
 * @throws ReviewLoopError `invalid_options`, `provider_missing`, `not_json`, `cancelled`
 * @example
 * ```ts
 * const { model, predicted } = await calibrateJudges(clear, labelled, { providers: [one, two] });
 * const policy = model === null ? undefined : withinRisk(thresholds(), { model, budget: 0.1 });
 * ```
 */
export async function calibrateJudges<Task, Output>(
  judge: Reviewer<Task, Output>,
  labelled: readonly LabelledExample<Task, Output>[],
  options: CalibrateJudgesOptions,
): Promise<JudgesCalibration> {
  const {
    providers,
    prior,
    fix = 0.5,
    damage = 0.2,
    passes = {},
    ...more
  } = checked(judge, options);
  const { repetitions = 2, resamples = 200, confidence = 0.95, seed = 1 } = more;
  const { examples, notes } = distinctExamples(checkedExamples(labelled));
  const runs: (readonly JudgedExample[])[] = [];
  const calibrations: JudgesCalibration['calibrations'] = [];
  for (const [index, provider] of providers.entries()) {
    const own: CalibrateOptions = {
      ...more,
      provider,
      repetitions,
      resamples,
      onProgress: progressOf(more.onProgress, { index, of: providers.length }),
    };
    const reviewer = judge.asks?.asking(provider) ?? judge;
    const judged = await judgedExamples(reviewer, examples, own);
    runs.push(judged);
    calibrations.push(calibrationRecord(judged, factsOf(reviewer, examples, own), notes));
  }
  const { first = 4, edited = Math.max(6, first) } = passes;
  const assumed: Assumed = {
    judges: providers.map(({ id, model }) => judgeName(id, model)),
    prior,
    fix,
    damage,
    passes: { first, edited },
  };
  const texts = textsOf(runs);
  const fit = fitJudges(texts, assumed);
  const refits = resampled(texts, assumed, { resamples, seed });
  const figure = figureOf(fit, refits, confidence);
  const [low, high] = [figure('first'), figure('edited')];
  return {
    schema: 1,
    calibrations,
    betweenJudges: figure('betweenJudges'),
    withinJudge: figure('withinJudge'),
    prior: priorOf(texts, prior, confidence),
    model: fit.model ?? null,
    predicted:
      low === null || high === null ? null : { passes: assumed.passes, first: low, edited: high },
    notes: notesOf({ options, fit, judges: providers.length, repetitions }),
  };
}

/** Returns a callback that counts the runs of one judge among those of all. */
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

/** Returns the texts with the verdicts of each judge; failed runs give none. */
function textsOf(runs: readonly (readonly JudgedExample[])[]): JudgedText[] {
  return (runs[0] ?? []).map(({ good }, index) => ({
    good,
    passes: runs.map((judged) =>
      (judged[index]?.runs ?? []).flatMap(({ kind }) =>
        kind === 'pass' || kind === 'fail' ? [kind === 'pass'] : [],
      ),
    ),
  }));
}

/** Fits texts that are drawn again; each label keeps its number where the prior is given. */
function resampled(
  texts: readonly JudgedText[],
  assumed: Assumed,
  { resamples, seed }: { readonly resamples: number; readonly seed: number },
): JudgesFit[] {
  const next = seededRandom(seed);
  const strata =
    assumed.prior === undefined
      ? [texts]
      : [texts.filter(({ good }) => good), texts.filter(({ good }) => !good)];
  return Array.from({ length: resamples }, () =>
    fitJudges(
      strata.flatMap((items) =>
        items.flatMap(() => items[Math.floor(next() * items.length)] ?? []),
      ),
      assumed,
    ),
  );
}

type FigureName = 'betweenJudges' | 'withinJudge' | 'first' | 'edited';

function figureOf(
  fit: JudgesFit,
  refits: readonly JudgesFit[],
  confidence: number,
): (name: FigureName) => JudgesFigure | null {
  return (name) => {
    const value = fit[name];
    if (value === undefined) return null;
    const drawn = refits.flatMap((refit) => refit[name] ?? []).sort((a, b) => a - b);
    const tail = (1 - confidence) / 2;
    const [low, high] =
      drawn.length === 0 ? [0, 1] : [tail, 1 - tail].map((share) => quantileOf(drawn, share));
    return { value, low: Math.min(value, low ?? 0), high: Math.max(value, high ?? 1) };
  };
}

function priorOf(
  texts: readonly JudgedText[],
  given: number | undefined,
  confidence: number,
): JudgesFigure {
  if (given !== undefined) return { value: given, low: given, high: given };
  const bad = texts.filter(({ good }) => !good).length;
  const interval: Interval = wilsonInterval(bad, texts.length, confidence) ?? { low: 0, high: 1 };
  return { value: bad / texts.length, ...interval };
}

interface Noted {
  readonly options: CalibrateJudgesOptions;
  readonly fit: JudgesFit;
  readonly judges: number;
  readonly repetitions: number;
}

function notesOf({ options, fit, judges, repetitions }: Noted): string[] {
  const assumed = [
    ...(options.fix === undefined ? ['fix 0.5'] : []),
    ...(options.damage === undefined ? ['damage 0.2'] : []),
  ];
  return [
    ...(options.prior === undefined
      ? [
          `the prior ${fit.prior.toFixed(2)} is the share of bad examples: set \`prior\` unless they are a random sample of first texts`,
        ]
      : []),
    ...(assumed.length > 0 ? [`${assumed.join(' and ')}: assumed, not measured`] : []),
    ...(judges === 1
      ? ['one judge: its calls share all its blind spots, and nothing shows how alike others are']
      : []),
    ...(repetitions < 2 ? ['withinJudge needs `repetitions` of 2 or more'] : []),
    ...(fit.model === undefined
      ? ['no model: a judge gave no verdict on one of the labels, or always the same verdict']
      : []),
  ];
}

function checked<Task, Output>(
  judge: Reviewer<Task, Output>,
  options: CalibrateJudgesOptions,
): CalibrateJudgesOptions {
  if (typeof judge?.asks?.asking !== 'function')
    throw invalid('judge', 'a reviewer that asks a model, such as llmCriterion(...)', judge?.id);
  checkTable('calibrateJudges', table, options);
  const { first = 4, edited = Math.max(6, first) } = options.passes ?? {};
  checkWhole('passes.edited', edited, first);
  return options;
}

/**
 * Runs a judge over examples, each as often as `repetitions` says.
 *
 * @throws ReviewLoopError `cancelled`
 */
async function judgedExamples<Task, Output>(
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

/**
 * Runs a judge over labelled examples and returns how reliable it is. Failed runs are counted
 * separately: they are neither passes nor failures. An example that stands twice counts once; one
 * with both labels is left out.
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
  const checked = checkedOptions(options);
  const { examples, notes } = distinctExamples(checkedExamples(labelled));
  const reviewer = judgeReviewer(judge, options);
  const judged = await judgedExamples(reviewer, examples, checked);
  return calibrationRecord(judged, factsOf(reviewer, examples, checked), notes);
}

/** Returns what a calibration records beside its runs. */
function factsOf<Task, Output>(
  { id, version }: Pick<Reviewer<Task, Output>, 'id' | 'version'>,
  examples: readonly IdentifiedExample<Task, Output>[],
  options: CalibrateOptions,
): CalibrationFacts {
  const { repetitions = 1, confidence = 0.95, resamples = 2000, seed = 1 } = options;
  const { clock = systemClock, provider } = options;
  return {
    judge: { id, version, ...modelOf(provider) },
    at: new Date(clock.now()).toISOString(),
    labels: digestOf(examples),
    repetitions,
    confidence,
    seed,
    resamples,
  };
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
