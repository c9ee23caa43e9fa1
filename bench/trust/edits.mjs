// node bench/trust/edits.mjs [RUNS]   measures the presets over texts that are edited, and writes the table of
// README.md, in a minute.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { trustLibrary } from '../lib/library.mjs';
import { presetCells } from './contenders.mjs';
import { cell, figures } from './measure.mjs';
import { regimes } from './regimes.mjs';

/** What the table is made of: one line a cell. */
export const measuredFile = fileURLToPath(new URL('edits.jsonl', import.meta.url));
const page = fileURLToPath(new URL('README.md', import.meta.url));
const under = ['mid', 'strong'];
const marked = /(<!-- edits -->\n)[\s\S]*?(<!-- \/edits -->)/;

export function editsTable(file = measuredFile) {
  const cells = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const percent = ({ value }) => (100 * value).toFixed(1);
  const rows = cells.map(({ name, ...counts }) => {
    const shown = under.flatMap((regime) => {
      const { clean, falseApprovals, calls } = figures(counts[regime]);
      return [percent(clean), percent(falseApprovals), calls.toFixed(1)];
    });
    return `| ${[name, ...shown].join(' | ')} |`;
  });
  const columns = under.flatMap((regime) => [`${regime}: clean`, 'wrong', 'calls']);
  return [`| | ${columns.join(' | ')} |`, `|${'---|'.repeat(columns.length + 1)}`, ...rows].join(
    '\n',
  );
}

async function main(runs) {
  const lib = await trustLibrary();
  const lines = [];
  for (const { name } of presetCells) {
    const line = { name };
    for (const regime of under)
      line[regime] = await cell(lib, name, { regime: regimes[regime], runs });
    console.log(name);
    lines.push(JSON.stringify(line));
  }
  writeFileSync(measuredFile, `${lines.join('\n')}\n`);
  const text = readFileSync(page, 'utf8');
  writeFileSync(
    page,
    text.replace(marked, (_, open, close) => `${open}\n${editsTable()}\n\n${close}`),
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  await main(Number(process.argv[2] ?? 2000));
