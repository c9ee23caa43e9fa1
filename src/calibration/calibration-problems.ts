import { plural } from '../core/plural.js';
import type { JudgeIdentity } from '../core/policy.js';
import { figureText } from '../core/score-text.js';
import { type Calibration, enoughExamples } from './calibration.js';

/** The minimums that a judge must reach. */
export interface CalibrationBars {
  readonly minTnr: number;
  readonly minTpr: number;
  readonly minBalancedAccuracy: number;
  readonly minKappa: number;
  readonly maxFlipRate: number | undefined;
  readonly minExamples: number;
  readonly compare: 'interval' | 'estimate';
}

/** What holds for a judge unless a bar is set. */
export const leastBars: CalibrationBars = {
  ...{ minTnr: 0.7, minTpr: 0, minBalancedAccuracy: 0, minKappa: -1, maxFlipRate: undefined },
  ...{ minExamples: enoughExamples, compare: 'interval' },
};

/** Returns the newest calibration of each version of a judge. */
export function newestByJudge(
  calibrations: readonly Calibration[],
): ReadonlyMap<string, Calibration> {
  const oldestFirst = [...calibrations].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  return new Map(oldestFirst.map((calibration) => [keyOf(calibration.judge), calibration]));
}

function keyOf({ id, version }: Pick<JudgeIdentity, 'id' | 'version'>): string {
  return JSON.stringify([id, version]);
}

/** Returns why a judge may not approve; empty for a judge that may. */
export function calibrationProblems(
  judge: JudgeIdentity,
  known: ReadonlyMap<string, Calibration>,
  bars: CalibrationBars,
): string[] {
  const calibration = known.get(keyOf(judge));
  if (calibration === undefined) {
    const other = [...known.values()].some((candidate) => candidate.judge.id === judge.id);
    return [
      other
        ? `${judge.id} was calibrated with another prompt, model or rule`
        : `${judge.id} is not calibrated`,
    ];
  }
  const { confusion, flipRate } = calibration;
  const fewest = Math.min(
    confusion.truePass + confusion.falseFail,
    confusion.trueFail + confusion.falsePass,
  );
  const rates = rateBars.map(({ option, figure, name, lowest }) =>
    bars[option] > lowest ? rateProblem(calibration[figure], { option, name, bars }) : '',
  );
  const problems = [
    fewest < bars.minExamples
      ? `was calibrated with ${plural(fewest, 'example')} of a label, below minExamples ${bars.minExamples}`
      : '',
    ...rates,
    flipProblem(flipRate, bars.maxFlipRate),
  ];
  return problems.filter((problem) => problem !== '').map((problem) => `${judge.id} ${problem}`);
}

/** The figures that have a minimum; a minimum of `lowest` is not checked. */
const rateBars = [
  { option: 'minTnr', figure: 'tnr', name: 'TNR', lowest: 0 },
  { option: 'minTpr', figure: 'tpr', name: 'TPR', lowest: 0 },
  {
    option: 'minBalancedAccuracy',
    figure: 'balancedAccuracy',
    name: 'balanced accuracy',
    lowest: 0,
  },
  { option: 'minKappa', figure: 'kappa', name: 'kappa', lowest: -1 },
] as const;

function rateProblem(
  estimate: Calibration['tnr'],
  {
    option,
    name,
    bars,
  }: {
    readonly option: (typeof rateBars)[number]['option'];
    readonly name: string;
    readonly bars: CalibrationBars;
  },
): string {
  if (estimate === null) return `has no ${name}`;
  const { value, low, high } = estimate;
  const atLowEnd = bars.compare === 'interval';
  if ((atLowEnd ? low : value) >= bars[option]) return '';
  const figure = `${figureText(value, bars[option])} (${figureText(low, bars[option])} to ${figureText(high, bars[option])})`;
  return `has a ${name} of ${figure}, below ${option} ${bars[option]}${atLowEnd ? ' at the low end' : ''}`;
}

function flipProblem(flipRate: number | null, most: number | undefined): string {
  if (most === undefined || (flipRate !== null && flipRate <= most)) return '';
  return flipRate === null
    ? 'was run only once on each example, so maxFlipRate cannot be checked'
    : `contradicts itself in ${figureText(flipRate, most)} of repeated runs, above maxFlipRate ${most}`;
}
