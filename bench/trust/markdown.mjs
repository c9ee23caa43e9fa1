// node bench/trust/markdown.mjs FILE   the tables of docs/trust-measured.md, from what table.mjs wrote
import { readLines } from './lines.mjs';

const { points, rows } = readLines(process.argv[2]);
const percent = ({ value, error }) =>
  Number.isNaN(value) ? '-' : `${(100 * value).toFixed(1)} ± ${(100 * error).toFixed(1)}`;
const columns = [
  'clean',
  'false approvals, of approvals',
  'wrong approvals, of tasks',
  'worse than the draft',
  'approved',
  'to a person',
  'unreviewed',
  'judge calls',
  'tasks',
];

console.log(
  Object.entries(points ?? {})
    .map(([name, value]) => `${name} ${value.toFixed(3)}`)
    .join(', '),
);
for (const regime of new Set(rows.map((row) => row.regime))) {
  console.log(
    `\n### ${regime}\n\n| | ${columns.join(' | ')} |\n|${'---|'.repeat(columns.length + 1)}`,
  );
  for (const { name, counts, figures: f } of rows.filter((row) => row.regime === regime)) {
    const shares = [
      f.clean,
      f.falseApprovals,
      f.wrongPerTask,
      f.worse,
      f.approved,
      f.toPerson,
      f.unreviewed,
    ].map(percent);
    console.log(`| ${[name, ...shares, f.calls.toFixed(1), counts.runs].join(' | ')} |`);
  }
}
