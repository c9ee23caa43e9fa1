import { digestOf } from '../core/json.js';
import type { LLMProvider } from '../core/llm-provider.js';
import type { Reviewer } from '../core/reviewer.js';
import { systemClock } from '../ports/clock.js';
import {
  type CalibrateOptions,
  checkedExamples,
  checkedOptions,
  type IdentifiedExample,
  type LabelledExample,
} from './calibrate-options.js';
import type { Calibration } from './calibration.js';
import { type CalibrationFacts, calibrationRecord } from './calibration-record.js';
import { distinctExamples } from './distinct-examples.js';
import { type CalibratableJudge, judgeReviewer } from './judge-pipeline.js';
import { judgedExamples } from './judged-examples.js';

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
export function factsOf<Task, Output>(
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
