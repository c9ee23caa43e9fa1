import { digestOf } from '../../core/json.js';
import { checkKeys, invalid } from '../../core/options.js';
import { type Clock, systemClock } from '../../ports/clock.js';
import type { Calibration } from './calibration.js';
import { calibrationRecord } from './calibration-record.js';
import { labelledOnce } from './distinct-labels.js';
import type { ReadLabel } from './labels.js';

export interface UnusedLabels {
  /** A person accepted the work for other reasons than its quality. */
  readonly overridden: number;
  /** The same work with the same criterion has both labels. */
  readonly contradictory: number;
  /** The same work with the same criterion and label once more. */
  readonly repeated: number;
  /** Several judges said something, or none: it is unknown who is meant. */
  readonly unattributed: number;
}

interface DecidedVerdict {
  readonly criterion: string;
  readonly verdict: 'pass' | 'fail';
  readonly score?: number | undefined;
  readonly version?: string | undefined;
  readonly label: 'pass' | 'fail';
  readonly id: string;
}

export interface DecidedVerdicts {
  /** Each verdict once. */
  readonly decided: DecidedVerdict[];
  readonly overridden: ReadonlyMap<string, number>;
  readonly unused: UnusedLabels;
}

export function decidedVerdicts(labels: readonly ReadLabel[]): DecidedVerdicts {
  labels.forEach(checkLabel);
  const accepted = labels.filter(({ overridden }) => overridden === true);
  const overridden = new Map<string, number>();
  for (const label of accepted) {
    const meant = meantBy(label);
    if (meant?.verdict === 'fail')
      overridden.set(meant.criterion, (overridden.get(meant.criterion) ?? 0) + 1);
  }
  const others = labels.filter((label) => label.overridden !== true);
  const attributed = others.flatMap(attributedIn);
  const { kept, repeated, contradictory } = labelledOnce(attributed, ({ about }) => about);
  const unattributed = others.length - attributed.length;
  return {
    decided: kept.map(({ decided }) => decided),
    overridden,
    unused: { overridden: accepted.length, contradictory, repeated, unattributed },
  };
}

function attributedIn(label: ReadLabel) {
  const decided = meantBy(label);
  if (decided === undefined) return [];
  const { criterion, version = null } = decided;
  const about = digestOf([criterion, version, label.task, label.output]);
  return [{ label: label.label, about, decided }];
}

function checkLabel(label: unknown, index: number): void {
  const isLabel =
    typeof label === 'object' &&
    label !== null &&
    'label' in label &&
    (label.label === 'pass' || label.label === 'fail');
  if (!isLabel)
    throw invalid(`labels[${index}]`, "{ task, output, label: 'pass' | 'fail' }", label);
}

/** Undefined if it is unknown which judge is meant. */
function meantBy({ id, label, criterion, verdicts = {} }: ReadLabel): DecidedVerdict | undefined {
  const said = Object.entries(verdicts);
  const meant =
    criterion === undefined
      ? said.find(() => said.length === 1)
      : said.find(([name]) => name === criterion);
  return meant && { criterion: meant[0], ...meant[1], label, id };
}

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
