import { digestOf } from '../core/json.js';
import { checkKeys } from '../core/options.js';
import { type Clock, systemClock } from '../ports/clock.js';
import type { Calibration } from './calibration.js';
import { calibrationRecord } from './calibration-record.js';
import { type DecidedVerdict, decidedVerdicts } from './decided-verdicts.js';
import type { ReadLabel } from './labels.js';

/** Said in each record, because a gate may rely on its figures. */
const selected =
  'the examples are what people were asked about, so they are no random sample of the work';

/**
 * Returns a calibration of each judge, from what people decided about its verdicts. It asks no
 * model. Overrides, contradictory and unattributed labels are left out, see
 * {@link learnFromDecisions}. Each version of a judge has its own record; a label without a version
 * has the version `''`, which no judge has.
 *
 * @param options - Its `clock` is the source of time.
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const calibrations = calibrationOfDecisions(readLabels(text, 'labels.jsonl'));
 * const policy = requireCalibration({ calibrations });
 * ```
 */
export function calibrationOfDecisions(
  labels: readonly ReadLabel[],
  options: { readonly clock?: Clock | undefined } = {},
): readonly Calibration[] {
  checkKeys('calibrationOfDecisions', options, ['clock']);
  const { clock = systemClock } = options;
  const judges = new Map<string, DecidedVerdict[]>();
  for (const decided of decidedVerdicts(labels).decided) {
    const key = digestOf([decided.criterion, decided.version ?? '']);
    const own = judges.get(key);
    if (own === undefined) judges.set(key, [decided]);
    else own.push(decided);
  }
  return [...judges.values()].map((decided) => {
    const [{ criterion, version = '' } = { criterion: '' }] = decided;
    return calibrationRecord(
      decided.map(({ id, label, verdict }) => ({
        id,
        good: label === 'pass',
        runs: [{ kind: verdict }],
      })),
      {
        judge: { id: criterion, version },
        at: new Date(clock.now()).toISOString(),
        labels: digestOf(decided.map(({ id, label }) => [id, label])),
        repetitions: 1,
        confidence: 0.95,
        prior: 0.5,
        seed: 1,
        resamples: 2000,
      },
      [selected],
    );
  });
}
