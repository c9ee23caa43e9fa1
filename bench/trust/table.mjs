// node bench/trust/table.mjs [runs] [regime...]   the table of docs/trust.md, as JSON lines
import { calibrationPoints, oracle } from './checks.mjs';
import { contenders } from './contenders.mjs';
import { able, cell, figures } from './measure.mjs';
import { regimes } from './world.mjs';

const [runs = '2000', ...wanted] = process.argv.slice(2);
const lib = await import(process.env.TRUST_LIBRARY ?? '../../dist/index.js');

process.stdout.write(`${JSON.stringify({ points: { ...calibrationPoints(), oracle: await oracle(lib, Number(runs)) } })}\n`);
for (const regime of wanted.length > 0 ? wanted : Object.keys(regimes)) {
  for (const name of Object.keys(contenders)) {
    if (!able(lib, name)) continue;
    const counts = await cell(lib, name, { regime: regimes[regime], runs: Number(runs) });
    process.stdout.write(`${JSON.stringify({ regime, name, counts, figures: figures(counts) })}\n`);
  }
}
