// node bench/trust/plot.mjs FILE.jsonl [regime]   an SVG of cost against gain, from what table.mjs wrote
import { readLines } from './lines.mjs';

const [file, regime = 'mid'] = process.argv.slice(2);
const rows = readLines(file).rows.filter((row) => row.regime === regime && row.counts.approved > 0);
const [width, height, margin] = [720, 420, 60];
const most = Math.ceil(Math.max(...rows.map(({ figures }) => figures.calls)) / 10) * 10;
const x = (calls) => margin + (calls / most) * (width - 2 * margin);
const y = (share) => height - margin - share * (height - 2 * margin);
const text = (at, label, rest = '') =>
  `<text x="${at[0].toFixed(1)}" y="${at[1].toFixed(1)}" font-size="12" font-family="sans-serif" ${rest}>${label}</text>`;
const marks = rows.flatMap(({ name, figures }) => {
  const at = [x(figures.calls), y(figures.wrongPerTask.value)];
  return [
    `<circle cx="${at[0].toFixed(1)}" cy="${at[1].toFixed(1)}" r="4" fill="#0a6"/>`,
    text([at[0] + 7, at[1] + 4], name),
  ];
});
const grid = [0, 0.25, 0.5, 0.75, 1].flatMap((share) => [
  `<line x1="${margin}" x2="${width - margin}" y1="${y(share)}" y2="${y(share)}" stroke="#ccc"/>`,
  text([margin - 40, y(share) + 4], `${share * 100} %`),
]);
const ticks = Array.from({ length: most / 10 + 1 }, (_, index) =>
  text([x(index * 10) - 6, height - margin + 18], String(index * 10)),
);
const titles = [
  text(
    [margin, 24],
    `wrong approvals per task, by judge calls per task (${regime} judge)`,
    'font-weight="bold"',
  ),
  text([width / 2 - 60, height - 16], 'judge calls per task'),
];
process.stdout.write(
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" role="img">\n${['<rect width="100%" height="100%" fill="#fff"/>', ...grid, ...ticks, ...titles, ...marks].join('\n')}\n</svg>\n`,
);
