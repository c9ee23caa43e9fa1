import type { Grade } from '../../core/grade.js';
import { type Calibration, enoughExamples } from './calibration.js';
import { cohensKappa, confusionOf, flipRate, type Judgement, ratesOf } from './confusion.js';
import { gatesOf, type Said } from './gate.js';
import { bootstrapInterval, type Interval, wilsonInterval } from './interval.js';

export interface JudgedExample {
  readonly id: string;
  readonly good: boolean;
  readonly runs: readonly JudgedRun[];
}

export type JudgedRun =
  | { readonly kind: 'pass' | 'fail'; readonly grade?: Grade | undefined }
  | { readonly kind: 'skipped' }
  | { readonly kind: 'errored'; readonly code: string; readonly message: string };

export interface CalibrationFacts
  extends Pick<Calibration, 'judge' | 'at' | 'labels' | 'repetitions' | 'confidence'> {
  /** The share of texts that are wrong. */
  readonly prior: number;
  readonly seed: number;
  readonly resamples: number;
}

const listedErrors = 20;

/**
 * The first verdict on an example counts, as in use; further runs measure the flip rate. Failed
 * runs are neither passes nor failures.
 *
 * @param more - Further limits of the figures.
 */
export function calibrationRecord(
  examples: readonly JudgedExample[],
  { seed, resamples, prior, ...facts }: CalibrationFacts,
  more: readonly string[] = [],
): Calibration {
  const judged = examples.flatMap(({ good, runs }): Judgement[] => {
    const verdict = runs.find(isVerdict);
    return verdict === undefined ? [] : [{ good, passed: verdict.kind === 'pass' }];
  });
  const confusion = confusionOf(judged);
  const rates = ratesOf(confusion);
  const { confidence } = facts;
  const draw = { seed, resamples, confidence };
  const strata = [judged.filter(({ good }) => good), judged.filter(({ good }) => !good)];
  const drawn = (
    figure: (judgements: readonly Judgement[]) => number | undefined,
  ): Interval | undefined => bootstrapInterval(strata, (groups) => figure(groups.flat()), draw);
  const balanced = (judgements: readonly Judgement[]): number | undefined =>
    ratesOf(confusionOf(judgements)).balancedAccuracy;
  const { truePass, falsePass, trueFail, falseFail } = confusion;
  const failed = examples.flatMap(({ id, runs }) =>
    runs.flatMap((run) =>
      run.kind === 'errored' ? [{ example: id, code: run.code, message: run.message }] : [],
    ),
  );
  const without = examples.filter(({ runs }) => !runs.some(isVerdict));
  const errored = without.filter(({ runs }) => runs.some(({ kind }) => kind === 'errored')).length;
  const record: Omit<Calibration, 'notes'> = {
    schema: 1,
    ...facts,
    examples: {
      total: examples.length,
      good: examples.filter(({ good }) => good).length,
      bad: examples.filter(({ good }) => !good).length,
      judged: judged.length,
      errored,
      skipped: without.length - errored,
    },
    confusion,
    tpr: estimateOf(rates.tpr, wilsonInterval(truePass, truePass + falseFail, confidence)),
    tnr: estimateOf(rates.tnr, wilsonInterval(trueFail, trueFail + falsePass, confidence)),
    balancedAccuracy: estimateOf(rates.balancedAccuracy, drawn(balanced)),
    precision: estimateOf(
      rates.precision,
      wilsonInterval(truePass, truePass + falsePass, confidence),
    ),
    kappa: estimateOf(kappaOf(judged), drawn(kappaOf)),
    flipRate:
      flipRate(examples.map(({ runs }) => runs.filter(isVerdict).map(({ kind }) => kind))) ?? null,
    errors: failed.slice(0, listedErrors),
    ...barsOf(examples, { ...facts, prior }),
  };
  return { ...record, notes: [...notesOf(record, failed.length), ...more] };
}

function isVerdict(run: JudgedRun): run is Extract<JudgedRun, { kind: 'pass' | 'fail' }> {
  return run.kind === 'pass' || run.kind === 'fail';
}

/** The first verdict counts, as in use. */
export function firstSaid(runs: readonly JudgedRun[]): Said | undefined {
  const verdict = runs.find(isVerdict);
  return verdict && { passed: verdict.kind === 'pass', grade: verdict.grade };
}

function barsOf(
  examples: readonly JudgedExample[],
  { judge, prior, confidence }: Pick<CalibrationFacts, 'judge' | 'prior' | 'confidence'>,
): Pick<Calibration, 'bars'> {
  const texts = examples.map(({ good, runs }) => ({ good, said: [firstSaid(runs)] }));
  if (!texts.some(({ said: [first] }) => first?.grade !== undefined)) return {};
  return { bars: gatesOf(texts, { judges: [judge.id], prior, confidence }) };
}

function kappaOf(judgements: readonly Judgement[]): number | undefined {
  return cohensKappa(
    judgements.map(({ passed }) => passed),
    judgements.map(({ good }) => good),
  );
}

function estimateOf(value: number | undefined, interval: Interval | undefined): Calibration['tpr'] {
  return value === undefined || interval === undefined
    ? null
    : { value, low: Math.min(value, interval.low), high: Math.max(value, interval.high) };
}

function notesOf(
  { confusion, examples, flipRate: flips }: Omit<Calibration, 'notes'>,
  failed: number,
): string[] {
  const good = confusion.truePass + confusion.falseFail;
  const bad = confusion.trueFail + confusion.falsePass;
  const few = [
    good < enoughExamples ? `${good} good` : '',
    bad < enoughExamples ? `${bad} bad` : '',
  ].filter((part) => part !== '');
  const unjudged = examples.errored + examples.skipped;
  const passed = confusion.truePass + confusion.falsePass;
  const notes: readonly (readonly [boolean, string])[] = [
    [
      few.length > 0,
      `only ${few.join(' and ')} examples were judged: ` +
        `this judge needs ${enoughExamples} of each label to approve on its own`,
    ],
    [failed > 0, `${failed} runs have no verdict; they count neither as passes nor as failures`],
    [
      unjudged * 10 > examples.total,
      `${unjudged} of ${examples.total} examples were never judged: ` +
        'the figures describe the others only',
    ],
    [
      (flips ?? 0) > 0.2,
      `two runs over the same example disagree in ${Math.round((flips ?? 0) * 100)} %: ` +
        'a single verdict of this judge is unreliable',
    ],
    [
      examples.judged > 0 && (passed === 0 || passed === examples.judged),
      'every example has the same verdict',
    ],
  ];
  return notes.flatMap(([holds, text]) => (holds ? [text] : []));
}
