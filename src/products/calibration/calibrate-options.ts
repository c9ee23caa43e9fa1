import type { LLMProvider } from '../../core/llm-provider.js';
import {
  call,
  checkList,
  checkPositive,
  elsewhere,
  invalid,
  type OptionTable,
  text,
  whole,
} from '../../core/options.js';
import type { Usage } from '../../core/usage.js';
import type { Clock } from '../../ports/clock.js';
import type { Limiter } from '../../ports/limiter.js';
import { portTable } from '../../ports/port-table.js';
import type { Random } from '../../ports/random.js';
import type { Store } from '../../ports/store.js';
import { checkOpenShare } from './approval-label.js';
import { checkConfidence } from './interval.js';

/** An example with the label of a person. */
export interface LabelledExample<Task = unknown, Output = unknown> {
  /** Unique name of the example. @default '#1', '#2' and so on, by position */
  readonly id?: string | undefined;
  readonly task: Task;
  readonly output: Output;
  /** `pass` for good work. */
  readonly label: 'pass' | 'fail';
}

export interface CalibrateOptions {
  /** Id of a judge that is a plain function. @default the name of the function */
  readonly id?: string | undefined;
  /** Version of a judge that is a plain function. @default a hash of the text of the function */
  readonly version?: string | undefined;
  /** Default provider for a judge that needs a model. @default undefined */
  readonly provider?: LLMProvider | undefined;
  /** How often each example is judged, from 1 to 1000; `flipRate` needs 2. @default 1 */
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
  /**
   * The share of texts that are wrong, above 0 and below 1, for the figures of other bars and of several
   * judges.
   *
   * @default the share of bad examples, which is right only for a random sample of first texts
   */
  readonly prior?: number | undefined;
  /** Resamples of a bootstrap interval, from 1 to 100000. @default 2000 */
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

const { provider, store, limiter, clock, random } = portTable;

export const batchTable: OptionTable<Omit<CalibrateOptions, 'id' | 'version' | 'provider'>> = {
  ...{ repetitions: whole(1, 1000), retries: whole(0), resamples: whole(1, 100_000) },
  ...{
    prior: checkOpenShare,
    seed: whole(0),
    timeoutMs: checkPositive,
    confidence: checkConfidence,
  },
  ...{ store, limiter, clock, random, signal: elsewhere(), onProgress: call },
};

export const judgeTable: OptionTable<CalibrateOptions> = {
  id: text,
  version: text,
  provider,
  ...batchTable,
};

export type IdentifiedExample<Task, Output> = Required<LabelledExample<Task, Output>> & {
  readonly id: string;
};

export function checkedExamples<Task, Output>(
  labelled: readonly LabelledExample<Task, Output>[],
): IdentifiedExample<Task, Output>[] {
  checkList('labelled', labelled);
  if (labelled.length === 0)
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
