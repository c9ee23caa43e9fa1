// How often each arrangement of the same judges approves what is wrong: 2,000 runs a cell over six regimes take about half an hour;
// TRUST_RUNS takes fewer. The lines stay in results/trust.jsonl, for bench/trust/markdown.mjs and plot.mjs.
import { mkdirSync, rmSync } from 'node:fs';
import { root, trustLibrary } from '../lib/library.mjs';
import { readLines } from '../trust/lines.mjs';
import { rounds } from '../trust/rounds.mjs';
import { cell, regimes } from '../trust/simulation.mjs';

const ours = ['fast', 'guarded', 'autonomous'];

export async function trust(report) {
  const lib = await trustLibrary();
  const file = `${root}bench/results/trust.jsonl`;
  mkdirSync(`${root}bench/results`, { recursive: true });
  rmSync(file, { force: true });
  await rounds(lib, file, { runs: Number(process.env.TRUST_RUNS ?? 2000) });
  const { points, rows } = readLines(file);
  report.line('trust', 'simulation', points);
  for (const { regime, name, counts, figures } of rows) {
    const shares = Object.fromEntries(
      Object.entries(figures).map(([what, figure]) => [
        what,
        typeof figure === 'number' ? figure : figure.value,
      ]),
    );
    report.line('trust', name, { regime, runs: counts.runs, ...shares });
  }
  const unreviewed = rows
    .filter(({ name }) => ours.includes(name))
    .reduce((sum, { counts }) => sum + counts.unreviewed, 0);
  report.exactly('versions that come back unreviewed under a preset', unreviewed, 0);
  for (const name of ours) {
    const { approved } = await cell(lib, name, { regime: { ...regimes.mid, outage: 1 }, runs: 50 });
    report.exactly(`approvals of ${name} while no judge answers`, approved, 0);
  }
}
