// The tables of recorded judges, as Markdown.
import { gateOf } from './gates.mjs';

const percent = (share) => (share * 100).toFixed(1);
const whole = (share) => Math.round(share * 100);
const both = ({ wrong, right }) => `${percent(wrong)} @ ${whole(right)}`;
const table = (head, rows) => {
  const line = (cells) => `| ${cells.join(' | ')} |`.replace('|  |', '| |');
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n');
};

const kinds = ['Safety', 'Factuality', 'Focus', 'Math', 'Precise IF'];
const ofKind = (items, kind) => items.filter(({ subset }) => subset === kind);

/** The presets between what they are compared with. */
const arrangements = [
  ['one', 'a', 6],
  ['one, four times', 'aaaa', 6],
  ['two families (`fast`)', 'ab', 6],
  ['three (`guarded`)', 'abc', 6],
  ['three, strict bar (`autonomous`)', 'abc', 7],
];

export function presetTable(items) {
  const rows = arrangements.map(([name, gate, bar]) => {
    const { calls, right, wrong } = gateOf(items, gate, { bar });
    const byKind = kinds.map((kind) => gateOf(ofKind(items, kind), gate, { bar }).wrong);
    const range = `${percent(Math.min(...byKind))}–${percent(Math.max(...byKind))}`;
    return [name, calls.toFixed(1), whole(right), percent(wrong), range];
  });
  return table(
    [
      'judges, in turn until one fails; %',
      'calls',
      'right approved',
      'wrong of approvals',
      'by kind',
    ],
    rows,
  );
}

const gates = ['a', 'aa', 'aaaa', 'ab', 'abab', 'abc', 'abcabc', 'abcd'];

export function barTable(items) {
  return table(
    ['', 'calls', 'bar 5', 'bar 6', 'bar 7', '30 % wrong, bar 6'],
    gates.map((gate) => {
      const [five, six, seven] = [5, 6, 7].map((bar) => gateOf(items, gate, { bar }));
      const harder = gateOf(items, gate, { bar: 6, prior: 0.3 });
      return [
        [...gate].join(' '),
        six.calls.toFixed(1),
        both(five),
        both(six),
        both(seven),
        percent(harder.wrong),
      ];
    }),
  );
}

export function kindTable(items) {
  return table(
    ['bar 6', ...kinds],
    ['a', 'ab', 'abc', 'abcd'].map((gate) => [
      [...gate].join(' '),
      ...kinds.map((kind) => both(gateOf(ofKind(items, kind), gate, { bar: 6 }))),
    ]),
  );
}

/** The tables, by the name of the marks that stand round them. */
export const tables = { presets: presetTable, bars: barTable, kinds: kindTable };
