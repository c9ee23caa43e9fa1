import { isJudged } from '../core/assessment.js';
import type { CriterionFn } from '../core/criterion.js';
import { ReviewLoopError } from '../core/errors.js';
import { digestOf } from '../core/json.js';
import type { LLMProvider } from '../core/llm-provider.js';
import { checkKeys, checkPositive, checkWhole, invalid } from '../core/options.js';
import type { Outcome } from '../core/outcome.js';
import type { Reviewer } from '../core/reviewer.js';
import { definePipeline } from '../pipeline/define-pipeline.js';
import { inherit } from '../pipeline/inherit-provider.js';
import type { Pipeline } from '../pipeline/pipeline-options.js';
import { runAll } from '../pipeline/run-all.js';
import { type Clock, systemClock } from '../ports/clock.js';
import type { Limiter } from '../ports/limiter.js';
import type { Random } from '../ports/random.js';
import type { Store } from '../ports/store.js';
import { criterion } from '../reviewers/criterion.js';
import { reviewerOf } from '../self-review/criterion-reviewer.js';
import type { ReviewCriterion } from '../self-review/review-criterion.js';
import type { Calibration } from './calibration.js';
import { calibrationOf, type JudgedExample, type JudgedRun } from './calibration-of.js';
import { checkConfidence } from './interval.js';

/** Work of which a person said whether it is good. */
export interface LabelledExample<Task = unknown, Output = unknown> {
  /** @default '#' and its place, counted from 1 */
  readonly id?: string | undefined;
  readonly task: Task;
  readonly output: Output;
  readonly label: 'pass' | 'fail';
}

/** Anything that judges: a reviewer, a criterion, or a check as a plain function. */
export type CalibratableJudge<Task, Output> =
  | Reviewer<Task, Output>
  | ReviewCriterion<Output, Task>
  | CriterionFn<Output, Task>;

/** How a judge is calibrated. */
export interface CalibrateOptions {
  /** Its id, for a judge that is a plain function. @default the function's name */
  readonly id?: string | undefined;
  /** Its version, for a judge that is a plain function. @default a hash of the function's text */
  readonly version?: string | undefined;
  /** Asked by a judge that names no provider. */
  readonly provider?: LLMProvider | undefined;
  /** How often every example is judged; more than once tells how steady the judge is. @default 1 */
  readonly repetitions?: number | undefined;
  /** Keeps every verdict, so that a calibration that was stopped goes on without paying again. @default none */
  readonly store?: Store | undefined;
  /** @default one for the whole process */
  readonly limiter?: Limiter | undefined;
  /** How often a judge that failed is asked again. @default 1 */
  readonly retries?: number | undefined;
  /** How long one call may take. @default a minute */
  readonly timeoutMs?: number | undefined;
  /** How often the intervals hold the true figures. @default 0.95 */
  readonly confidence?: number | undefined;
  /** How often examples are drawn again for an interval. @default 2000 */
  readonly resamples?: number | undefined;
  /** Of the drawing. @default 1 */
  readonly seed?: number | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called after every run. */
  readonly onProgress?:
    | ((progress: { readonly done: number; readonly total: number | undefined }) => void)
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

/** One run of a judge over one example. */
interface Trial<Task, Output> {
  readonly task: Task;
  readonly output: Output;
  readonly repetition: number;
  /** Which of equal examples it is. */
  readonly twin: number;
}

/**
 * Runs a judge over labelled examples, and says how far it can be trusted. A run that fails is counted apart: it is neither a pass
 * nor a failure.
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
  const reviewer = boundJudge(judge, options);
  const pipeline = pipelineOf(reviewer, options);
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
  for await (const { task: trial, outcome, done, total } of batch) {
    if (outcome.status === 'cancelled')
      throw outcome.error ?? new ReviewLoopError('cancelled', 'the calibration was cancelled');
    const list = runs[places.get(trial) ?? -1];
    if (list !== undefined) list[trial.repetition] = runOf(outcome);
    options.onProgress?.({ done, total });
  }
  const judged = examples.map(
    ({ id, label }, index): JudgedExample => ({
      id,
      good: label === 'pass',
      runs: runs[index] ?? [],
    }),
  );
  return calibrationOf(judged, {
    judge: {
      id: reviewer.id,
      version: reviewer.version,
      ...(provider !== undefined && {
        provider: provider.id,
        ...(provider.model !== undefined && { model: provider.model }),
      }),
    },
    at: new Date(clock.now()).toISOString(),
    labels: digestOf(examples),
    ...{ repetitions, confidence, seed, resamples },
  });
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

type Checked<Task, Output> = Required<LabelledExample<Task, Output>> & { readonly id: string };

function checkedExamples<Task, Output>(
  labelled: readonly LabelledExample<Task, Output>[],
): Checked<Task, Output>[] {
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

/** Every example once, then every example again, so that a calibration that is stopped early has seen as many as it could; with their places. */
function trialsOf<Task, Output>(
  examples: readonly Checked<Task, Output>[],
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

function boundJudge<Task, Output>(
  judge: CalibratableJudge<Task, Output>,
  { id, version, provider }: CalibrateOptions,
): Reviewer<Task, Output> {
  if (typeof judge === 'function')
    return criterion<Output, Task>(id ?? judge.name, judge, { version });
  if (typeof judge !== 'object' || judge === null) throw notAJudge(judge);
  if (id !== undefined || version !== undefined)
    throw invalid(
      id === undefined ? 'version' : 'id',
      `left out: ${judge.id} has its own`,
      id ?? version,
    );
  return inherit(reviewerIn(judge), provider, judge.id);
}

function reviewerIn<Task, Output>(
  judge: Reviewer<Task, Output> | ReviewCriterion<Output, Task>,
): Reviewer<Task, Output> {
  if ('review' in judge && typeof judge.review === 'function') return judge;
  if ('validate' in judge && typeof judge.validate === 'function')
    return reviewerOf<Output, Task>(judge);
  throw notAJudge(judge);
}

function notAJudge(judge: unknown): ReviewLoopError {
  return invalid('judge', 'a reviewer, a criterion or a function', judge);
}

/** The judge alone in a pipeline of its own, which gives it what every judge has: slots, timeouts, retries, and a journal. */
function pipelineOf<Task, Output>(
  judge: Reviewer<Task, Output>,
  { limiter, retries, timeoutMs, clock, random }: CalibrateOptions,
): Pipeline<Trial<Task, Output>, Output> {
  const { scope } = judge;
  const { fix, withProvider, asks, ...rest } = judge;
  const reviewer: Reviewer<Trial<Task, Output>, Output> = {
    ...rest,
    scope: scope && (({ task, output }) => scope({ task: task.task, output })),
    review: ({ task, ...subject }, context) =>
      judge.review({ ...subject, task: task.task }, context),
  };
  return definePipeline<Trial<Task, Output>, Output>({
    name: `calibrate ${judge.id}`,
    produce: async ({ output }) => output,
    reviewers: [reviewer],
    policy: () => ({
      kind: 'stop',
      status: 'exhausted',
      code: 'calibrated',
      reason: 'judged once',
    }),
    budget: { reviews: 1 },
    ...(retries !== undefined && { retries }),
    ...(timeoutMs !== undefined && { timeouts: { checkMs: timeoutMs } }),
    ...(limiter !== undefined && { limiter }),
    ...(clock !== undefined && { clock }),
    ...(random !== undefined && { random }),
  });
}

/** What a run says: a failure of any part outweighs everything, then one failing criterion the passing ones. */
function runOf(outcome: Outcome<unknown>): JudgedRun {
  const assessments = outcome.reviews[0]?.assessments;
  if (assessments === undefined)
    return {
      kind: 'errored',
      code: outcome.error?.code ?? outcome.code,
      message: outcome.error?.message ?? outcome.reason,
    };
  const errored = assessments.find((assessment) => assessment.verdict === 'errored');
  if (errored?.verdict === 'errored')
    return { kind: 'errored', code: errored.error.code, message: errored.error.message };
  const judged = assessments.filter(isJudged);
  if (judged.length === 0) return { kind: 'skipped' };
  return { kind: judged.every(({ verdict }) => verdict === 'pass') ? 'pass' : 'fail' };
}
