// node bench/trust/table.mjs FILE [--runs 2000] [--regime NAME]... [--with NAME]...   measures, and appends JSON lines to FILE
import { parseArgs } from 'node:util';
import { trustLibrary } from '../lib/library.mjs';
import { contenders } from './contenders.mjs';
import { rounds } from './rounds.mjs';
import { regimes } from './world.mjs';

const strings = { type: 'string', multiple: true };
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: 'string', default: '2000' }, regime: strings, with: strings },
});
const [file] = positionals;
const unknown = [
  ...(values.regime ?? []).filter((name) => !(name in regimes)),
  ...(values.with ?? []).filter((name) => !(name in contenders)),
];
if (file === undefined || unknown.length > 0 || !(Number(values.runs) > 0)) {
  console.error(
    `name a file for the lines, a number of runs, and of these: ${[...Object.keys(regimes), ...Object.keys(contenders)].join(', ')}`,
  );
  process.exitCode = 1;
} else
  await rounds(await trustLibrary(), file, {
    runs: Number(values.runs),
    under: values.regime,
    names: values.with,
  });
