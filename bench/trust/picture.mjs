// node bench/trust/picture.mjs [FILE]   writes docs/trust-cost.svg: what a judge call buys, in four panels, for light and dark pages.
import { writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { contenders, namesOf, passes } from './contenders.mjs';
import { cellsIn } from './measured.mjs';
import { barOf, dotOf, textOf } from './picture-marks.mjs';

const size = { width: 960, height: 816 };
const plot = { width: 372, height: 262 };
const most = 105;
const panels = [
  { regime: 'mid', what: 'clean', left: 64, top: 116, from: 0.3, to: 1, step: 0.1 },
  { regime: 'strong', what: 'clean', left: 544, top: 116, from: 0.3, to: 1, step: 0.1 },
  { regime: 'mid', what: 'falseApprovals', left: 64, top: 440, from: 0, to: 0.5, step: 0.1 },
  { regime: 'strong', what: 'falseApprovals', left: 544, top: 440, from: 0, to: 0.25, step: 0.05 },
];
const titles = {
  clean: 'clean, of tasks: more is better',
  falseApprovals: 'wrong, of approvals: less is better',
};
const judges = {
  mid: 'mid judge (finds 57 % of what is wrong)',
  strong: 'strong judge (finds 85 %)',
};
const roundsOf = (prefix, saving = '') =>
  [2, 3, 4, 5, 6, 7, 8].map((rounds) => `${prefix}, ${rounds} rounds${saving}`);
/** The lines, each with its names in the order of what they cost. */
const lines = [
  { id: 'one', label: 'plain loop, one judge', names: roundsOf('a alone'), key: [64, 768] },
  {
    id: 'two',
    label: 'two judges',
    names: roundsOf('a, veto b', ', minors once'),
    key: [260, 768],
  },
  {
    id: 'three',
    label: 'three judges',
    names: roundsOf('a, veto b c', ', minors once'),
    key: [392, 768],
  },
  {
    id: 'kept',
    label: 'three judges, verdicts kept',
    names: roundsOf('a, veto b c', ', verdicts kept'),
    key: [64, 790],
  },
  {
    id: 'turn',
    label: 'in turn, guarded',
    names: Object.keys(passes).map((each) => `in turn ${each}`),
    key: [300, 790],
  },
];

const css = `
text{font:12px system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;fill:#1f2328}
.title{font-size:17px;font-weight:600}.head{font-size:13px;font-weight:600}.quiet{fill:#59636e}
.back{fill:#fff}.grid{stroke:#d8dee4}.axis{stroke:#818b98}
.hollow{fill:#fff}polyline{fill:none;stroke-width:1.8}
.one{--c:#818b98}.two{--c:#b26a00}.three{--c:#c2255c}.kept{--c:#7048c8}.turn{--c:#0969da}.former{--c:#1f2328}
polyline,.ring{stroke:var(--c)}.full{fill:var(--c)}.ring{stroke-width:1.3}text.name{fill:var(--c);font-weight:600;paint-order:stroke;stroke:#fff;stroke-width:3px}
.turn polyline,polyline.turn{stroke-width:2.6}.one polyline{stroke-dasharray:2 3}.two polyline{stroke-dasharray:6 3}.kept polyline{stroke-dasharray:9 3 2 3}
@media (prefers-color-scheme:dark){
text{fill:#e6edf3}.quiet{fill:#9198a1}.back,.hollow{fill:#0d1117}text.name{stroke:#0d1117}.grid{stroke:#2b323b}.axis{stroke:#6e7681}
.one{--c:#8b949e}.two{--c:#e3a13a}.three{--c:#ff7ba5}.kept{--c:#b794ff}.turn{--c:#58a6ff}.former{--c:#e6edf3}
}`;

/** A panel with its axes, lines and marks; a line has only points over the same tasks. */
function panelOf(cells, panel) {
  const { regime, what, left, top, from, to } = panel;
  const x = (calls) => left + (calls / most) * plot.width;
  const y = (share) => top + plot.height - ((share - from) / (to - from)) * plot.height;
  const tasks = Math.max(...cells.under(regime).map(({ counts }) => counts.runs));
  const placed = (name) => {
    const found = cells.find(regime, name);
    const share = found?.figures[what].value;
    const isPart = contenders[name].kind === 'former' || found?.counts.runs === tasks;
    return found === undefined || !isPart || Number.isNaN(share)
      ? []
      : [{ name, at: [x(found.figures.calls), y(share)], full: found.figures.approved.value }];
  };
  const drawn = lines.map(({ id, names }) => {
    const points = names.flatMap(placed);
    const path = points.map(({ at }) => at.map((n) => n.toFixed(1)).join()).join(' ');
    const marks = points.map(({ at, full }) => dotOf(at, full)).join('');
    const named = id === 'turn' ? points.map((point) => nameOf(point, what)).join('') : '';
    return `<g class="${id}"><polyline points="${path}"/>${marks}${named}</g>`;
  });
  const former = namesOf('former')
    .flatMap(placed)
    .map(({ at, full }) => barOf(at, full));
  return [
    textOf([left, top - 12], titles[what], 'head'),
    ...axes(panel, { x, y }),
    ...drawn,
    `<g class="former">${former.join('')}</g>`,
  ].join('\n');
}

/** The passes at a point of the line in turn: above it where higher is better, below it where lower is. */
const nameOf = ({ name, at }, what) =>
  textOf(
    [at[0], at[1] + (what === 'clean' ? -11 : 20)],
    name.replace('in turn ', ''),
    'name',
    'middle',
  );

function axes({ left, top, from, to, step }, { x, y }) {
  const count = Math.round((to - from) / step) + 1;
  const shares = Array.from({ length: count }, (_, index) => from + index * step);
  const rows = shares.flatMap((share) => [
    `<line class="grid" x1="${left}" x2="${left + plot.width}" y1="${y(share).toFixed(1)}" y2="${y(share).toFixed(1)}"/>`,
    textOf([left - 8, y(share) + 4], `${Math.round(share * 100)} %`, 'quiet', 'end'),
  ]);
  const bottom = top + plot.height;
  const ticks = [0, 20, 40, 60, 80, 100].flatMap((calls) => [
    `<line class="axis" x1="${x(calls).toFixed(1)}" x2="${x(calls).toFixed(1)}" y1="${bottom}" y2="${bottom + 4}"/>`,
    textOf([x(calls), bottom + 18], String(calls), 'quiet', 'middle'),
  ]);
  return [...rows, ...ticks];
}

/** The legend, in two rows; it names the squares only where there are some. */
function legend(cells) {
  const keys = lines.map(
    ({ id, label, key: [left, top] }) =>
      `<g class="${id}"><polyline points="${left},${top} ${left + 34},${top}"/>${dotOf([left + 17, top], 1)}${textOf([left + 42, top + 4], label)}</g>`,
  );
  const marks = [
    { mark: dotOf([550, 768], 0.35), label: 'filled as much as it approves', top: 768 },
    {
      mark: barOf([550, 790], 0.35),
      label: 'findings checked first (the presets before)',
      top: 790,
    },
  ].slice(0, hasFormer(cells) ? 2 : 1);
  const named = marks.map(
    ({ mark, label, top }) => `<g class="former">${mark}${textOf([562, top + 4], label)}</g>`,
  );
  return [...keys, ...named].join('\n');
}

const hasFormer = (cells) => namesOf('former').some((name) => cells.find('mid', name));

/** The whole picture. */
export function picture(cells) {
  const heads = panels
    .slice(0, 2)
    .map(({ regime, left }) => textOf([left, 82], judges[regime], 'quiet'));
  const feet = panels
    .slice(2)
    .map(({ left, top }) =>
      textOf(
        [left + plot.width / 2, top + plot.height + 36],
        'judge calls a task',
        'quiet',
        'middle',
      ),
    );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" role="img" aria-labelledby="t">
<title id="t">Clean versions and wrong approvals by judge calls, of plain loops and of judges in turn, with a mid and a strong judge</title>
<style>${css}
</style>
<rect class="back" width="100%" height="100%"/>
${textOf([64, 34], 'What a judge call buys', 'title')}
${textOf([64, 56], 'Simulated judges, 2,000 tasks a point; turns run on the real engine. A model of judges, not a measurement of models.', 'quiet')}
${[...heads, ...panels.map((panel) => panelOf(cells, panel)), ...feet, legend(cells)].join('\n')}
</svg>
`;
}

/** Where it stands. */
export const pictureFile = fileURLToPath(new URL('../../docs/trust-cost.svg', import.meta.url));

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  writeFileSync(pictureFile, picture(cellsIn(process.argv[2])));
