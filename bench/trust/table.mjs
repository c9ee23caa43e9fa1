// node bench/trust/table.mjs FILE [--runs 2000] [--processes 2] [--regime NAME]... [--with NAME]... [--seed 4]
// Measures all cells, or those of contenders that are named, and appends a JSON line to FILE for every 100 tasks.
import { parseArgs } from 'node:util';
import { contenders } from './contenders.mjs';
import { jobsOf } from './jobs.mjs';
import { regimes } from './regimes.mjs';
import { rounds } from './rounds.mjs';

const strings = { type: 'string', multiple: true };
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '4' },
    runs: { type: 'string', default: '2000' },
    processes: { type: 'string', default: '2' },
    regime: strings,
    with: strings,
  },
});
const [file] = positionals;
const [seed, runs, processes] = [values.seed, values.runs, values.processes].map(Number);
const unknown = [
  ...(values.regime ?? []).filter((name) => !(name in regimes)),
  ...(values.with ?? []).filter((name) => !(name in contenders)),
];
if (file === undefined || unknown.length > 0 || ![seed, runs, processes].every((n) => n > 0)) {
  console.error(
    `name a file for the lines, numbers above 0, and of these: ${[...Object.keys(regimes), ...Object.keys(contenders)].join(' · ')}`,
  );
  process.exitCode = 1;
} else {
  const only = { under: values.regime, names: values.with, seed };
  await rounds(file, {
    jobs: jobsOf({ runs, only }),
    processes,
    told: ({ line, left, all }) =>
      console.log(
        `${all - left}/${all} ${line.regime} · ${line.name} · ${line.from} · ${line.cpuMs} ms`,
      ),
  });
}
