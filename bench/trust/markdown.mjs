// node bench/trust/markdown.mjs [FILE] [--write]   prints the tables of docs/trust-measured.md; with --write, puts them into the page.
// With both, FILE also becomes bench/trust/measured.jsonl, one line a cell.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { namesOf } from './contenders.mjs';
import { cellsIn, condensed } from './measured.mjs';
import { regimes } from './regimes.mjs';
import { strongestPlain } from './stronger.mjs';

const page = fileURLToPath(new URL('../../docs/trust-measured.md', import.meta.url));
const columns = [
  'clean',
  'approved',
  'wrong of approvals',
  'wrong of tasks',
  'worse',
  'judge calls',
  'edits',
  'in a row',
  'tasks',
];
const inTurn = ['2/4', '3/5', '4/6', '6/9'].map((passes) => `in turn ${passes}`);
const strict = 'a, veto b c, 6 rounds';
const asideOf = (regime) => regime.includes(', ');

/** What stands first on the page: mid and strong judge side by side. */
export function headTable(cells) {
  const head = ['clean', 'approved', 'wrong of approvals', 'wrong of tasks', 'judge calls'];
  const names = [
    'self-review loop as specified',
    'best of 8',
    'a, veto b c, 8 rounds, verdicts kept',
    strict,
    'checked, confirmed twice',
    ...inTurn,
  ];
  const lines = names.flatMap((name) => {
    const both = ['mid', 'strong'].map((regime) => cells.find(regime, name)?.figures);
    if (both.includes(undefined)) return [];
    const columns = ['clean', 'approved', 'falseApprovals', 'wrongPerTask'].map((what) =>
      both.map((figures) => percent(figures[what])).join(' / '),
    );
    const calls = both.map((figures) => figures.calls.toFixed(1)).join(' / ');
    return `| ${[name.startsWith('in turn') ? `**${name}**` : name, ...columns, calls].join(' | ')} |`;
  });
  return [`| | ${head.join(' | ')} |`, `|${'---|'.repeat(head.length + 1)}`, ...lines].join('\n');
}

/** Two tables for regimes of which the order is told, one for those where one thing is changed. */
export function tables(cells) {
  const under = Object.keys(regimes).filter((regime) => !asideOf(regime));
  const tableUnder = (title, rows) =>
    rows.length === 0 ? [] : [`### ${title}\n\n${tableOf(rows)}`];
  return [
    ...under.flatMap((regime) => tableUnder(regime, rowsOf(cells, regime))),
    ...tableUnder('the same with a strong judge, or more items', asideRows(cells)),
  ].join('\n\n');
}

/** Who stands in the table of a regime: what is published, the strongest plain loop at the calls of each of ours, and ours. */
function rowsOf(cells, regime) {
  const ours = [...inTurn, 'in turn 4/6, no guard', ...namesOf('within a risk')];
  const plain = inTurn.flatMap((name) => {
    const cell = cells.find(regime, name);
    return cell === undefined ? [] : (strongestPlain(cells, cell)?.name ?? []);
  });
  const names = [...namesOf('published'), ...plain, strict, ...namesOf('former'), ...ours];
  return [...new Set(names)].flatMap((name) => {
    const cell = cells.find(regime, name);
    return cell === undefined ? [] : [{ label: name, cell }];
  });
}

function asideRows(cells) {
  return Object.keys(regimes)
    .filter(asideOf)
    .flatMap((regime) => {
      const cell = cells.find(regime, 'in turn 4/6');
      if (cell === undefined) return [];
      const plain = strongestPlain(cells, cell);
      return [
        ...(plain === undefined ? [] : [{ label: `${regime}: ${plain.name}`, cell: plain }]),
        { label: `${regime}: in turn 4/6`, cell },
      ];
    });
}

const percent = ({ value }) => (Number.isNaN(value) ? '-' : (100 * value).toFixed(1));

function tableOf(rows) {
  const lines = rows.map(({ label, cell: { name, figures: f, counts } }) => {
    const shares = [f.clean, f.approved, f.falseApprovals, f.wrongPerTask, f.worse].map(percent);
    const costs = [f.calls, f.edits, f.inARow].map((cost) => cost.toFixed(1));
    const shown = name.startsWith('in turn') ? `**${label}**` : label;
    return `| ${[shown, ...shares, ...costs, counts.runs].join(' | ')} |`;
  });
  const head = `| | ${columns.join(' | ')} |\n|${'---|'.repeat(columns.length + 1)}`;
  return [head, ...lines].join('\n');
}

function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { write: { type: 'boolean', default: false } },
  });
  const [file] = positionals;
  if (values.write && file !== undefined) condensed(file);
  if (!values.write) return console.log(tables(cellsIn(file)));
  const cells = cellsIn();
  const parts = { head: headTable(cells), tables: tables(cells) };
  const text = Object.entries(parts).reduce(withPart, readFileSync(page, 'utf8'));
  writeFileSync(page, text);
}

/** A page with what stands between two comments replaced. */
function withPart(text, [name, part]) {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`the page has no place for ${begin}`);
  return `${text.slice(0, from + begin.length)}\n\n${part}\n\n${text.slice(to)}`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main();
