import { plural } from '../../../core/plural.js';
import { figureText } from '../../../core/score-text.js';
import type { Usage } from '../../../core/usage.js';
import { oneLine } from '../../../node/terminal/sanitise.js';
import type { Calibration, JudgesCalibration } from '../../../products/calibration/calibration.js';
import type { Gate } from '../../../products/calibration/gate.js';
import type { Io } from '../../cli-kit/io.js';
import { listing } from '../../cli-kit/show/listing.js';
import {
  durationText,
  headRow,
  LiveView,
  usageTexts,
  type ViewIo,
} from '../../cli-kit/show/live-view.js';

export function calibrationLines(
  calibration: Calibration,
  io: Pick<Io, 'reader' | 'outColumns'>,
): string[] {
  const { judge, examples, flipRate, confidence, notes, errors, bars } = calibration;
  const model = [judge.provider, judge.model].filter((part) => part !== undefined).join(' ');
  const row = (name: string, estimate: Calibration['tnr'], meaning: string): string[] => [
    name,
    ...(estimate === null
      ? ['-', '']
      : [
          figureText(estimate.value),
          `${figureText(estimate.low)} to ${figureText(estimate.high)}`,
        ]),
    meaning,
  ];
  const rows = [
    row('TPR', calibration.tpr, 'of good work passes'),
    row('TNR', calibration.tnr, 'of bad work fails'),
    row('balanced accuracy', calibration.balancedAccuracy, '0.5 is chance'),
    row('precision', calibration.precision, 'of passes are good'),
    row('kappa', calibration.kappa, 'agreement with the labels beyond chance'),
    [
      'flip rate',
      flipRate === null ? '-' : figureText(flipRate),
      '',
      flipRate === null ? 'judged once each; see --repetitions' : 'of repeated runs disagree',
    ],
  ];
  const head = [
    `judge ${judge.id}, version ${judge.version}${model === '' ? '' : `, ${model}`}`,
    [
      `${examples.judged} of ${plural(examples.total, 'example')} judged`,
      `(${examples.good} good, ${examples.bad} bad),`,
      `${examples.errored} failed, ${examples.skipped} skipped`,
    ].join(' '),
  ];
  const more = [
    ...notes.map((note) => `note: ${note}`),
    ...errors
      .slice(0, 3)
      .map(({ example, code, message }) => `failed: ${example}: ${message} [${code}]`),
  ];
  const interval = `${Math.round(confidence * 100)} % interval`;
  const shown = listing(io, rows, ['', 'value', interval, '']);
  const byBar =
    bars === undefined ? [] : ['', 'by bar', ...listing(io, gateRows(bars), gateTitles)];
  return [...head.map(oneLine), ...shown, ...byBar, ...more.map(oneLine)];
}

const gateTitles = ['judges', 'bar', 'calls', 'right approved', 'wrong of approvals'];

export function gateRows(gates: readonly Gate[]): string[][] {
  return gates.map(({ judges, bar, calls, right, wrong }) => [
    judges.join(', '),
    bar === null ? '-' : String(bar),
    figureText(calls),
    percent(right),
    percent(wrong),
  ]);
}

function percent(figure: Gate['wrong']): string {
  if (figure === null) return '-';
  const [value, low, high] = [figure.value, figure.low, figure.high].map((share) =>
    (share * 100).toFixed(1),
  );
  return `${value} % (${low} to ${high})`;
}

/** Whatever the order of a set of judges, the same passes. */
export function cheapestOrders(gates: readonly Gate[]): Gate[] {
  const best = new Map<string, Gate>();
  for (const gate of gates) {
    const key = [...gate.judges].sort().join('\n');
    const known = best.get(key);
    if (known === undefined || gate.calls < known.calls) best.set(key, gate);
  }
  return [...best.values()];
}

export function judgesLines(
  { calibrations, gates, prior, notes }: JudgesCalibration,
  io: Io,
): string[] {
  const shown = [...new Set(gates.map(({ bar }) => bar))].flatMap((bar) =>
    cheapestOrders(gates.filter((gate) => gate.bar === bar)),
  );
  return [
    ...calibrations.flatMap((one) => [...calibrationLines(one, io), '']),
    `judges in turn until one fails, each set in its cheapest order; ${figureText(100 * prior)} % of the texts are wrong`,
    ...listing(io, gateRows(shown), gateTitles),
    ...notes.map((note) => oneLine(`note: ${note}`)),
  ];
}

interface Judged {
  readonly done: number;
  readonly total: number | undefined;
  readonly usage: Usage;
}

export function progressOf(
  io: ViewIo,
  { judge, total }: { readonly judge: string; readonly total: number },
): { readonly update: (judged: Judged) => void; readonly stop: () => void } {
  let judged: Judged = { done: 0, total, usage: {} };
  const parts = (): string[] => {
    const { done, total: all = total, usage } = judged;
    const leftMs = done === 0 ? 0 : (view.elapsedMs / done) * (all - done);
    const left = leftMs < 1000 ? [] : [`about ${durationText(leftMs)} left`];
    return [`${done}/${all} judged by ${judge}`, ...usageTexts(usage), ...left];
  };
  const view = new LiveView(io, {
    rows: ({ columns }) => [headRow(view.elapsedMs, parts(), columns)],
    heartbeat: () => [durationText(view.elapsedMs), ...parts()].join(', '),
  });
  view.start();
  return {
    update: (now) => {
      judged = now;
      view.changed();
    },
    stop: () => view.stop(),
  };
}
