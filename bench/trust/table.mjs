// node bench/trust/table.mjs FILE [--runs 2000] [--regime NAME]... [--with NAME]...   measures, and appends JSON lines to FILE
// It goes round by round over all cells, so that it can be ended at any time, and goes on from what FILE holds.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { calibrationPoints, oracle } from './checks.mjs';
import { compared, contenders } from './contenders.mjs';
import { able, cell } from './measure.mjs';
import { regimes } from './world.mjs';

const chunk = 100;
const strings = { type: 'string', multiple: true };
const { values, positionals } = parseArgs({ allowPositionals: true, options: { runs: { type: 'string', default: '2000' }, regime: strings, with: strings } });
const [file] = positionals;
const named = { regime: values.regime ?? Object.keys(regimes), with: values.with ?? compared };
const unknown = [...named.regime.filter((name) => !(name in regimes)), ...named.with.filter((name) => !(name in contenders))];
if (file === undefined || unknown.length > 0) {
  console.error(file === undefined ? 'name a file for the lines' : `there is no ${unknown.join(', ')}; there are ${[...Object.keys(regimes), ...Object.keys(contenders)].join(', ')}`);
  process.exit(1);
}
const lib = await import(process.env.TRUST_LIBRARY ?? '../../dist/index.js');
const known = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').filter(Boolean).map((line) => JSON.parse(line)) : [];
const done = new Set(known.map(({ regime, name, from }) => [regime, name, from].join()));
const add = (line) => appendFileSync(file, `${JSON.stringify(line)}\n`);

if (!known.some(({ points }) => points !== undefined)) add({ points: { ...calibrationPoints(), oracle: await oracle(lib, 500) } });
for (let from = 0; from < Number(values.runs); from += chunk) {
  for (const regime of named.regime) {
    for (const name of named.with) {
      if (done.has([regime, name, from].join()) || !able(lib, name)) continue;
      add({ regime, name, from, counts: await cell(lib, name, { regime: regimes[regime], runs: Math.min(chunk, Number(values.runs) - from), from }) });
    }
  }
}
