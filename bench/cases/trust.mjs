// How often each arrangement of the same judges approves what is wrong. A full run takes about two hours of one processor;
// TRUST_RUNS takes fewer tasks a cell. The lines stay in results/trust.jsonl, and a run that was ended goes on from them.
import { mkdirSync } from 'node:fs';
import { root, trustLibrary } from '../lib/library.mjs';
import { calibrationPoints, oracle } from '../trust/calibration-points.mjs';
import { checks } from '../trust/checks.mjs';
import { jobsOf } from '../trust/jobs.mjs';
import { cell } from '../trust/measure.mjs';
import { cellsIn } from '../trust/measured.mjs';
import { regimes } from '../trust/regimes.mjs';
import { rounds } from '../trust/rounds.mjs';

const presets = ['fast', 'guarded', 'autonomous'];

export async function trust(report) {
  const lib = await trustLibrary();
  const runs = Number(process.env.TRUST_RUNS ?? 2000);
  mkdirSync(`${root}bench/results`, { recursive: true });
  const file = `${root}bench/results/trust${runs === 2000 ? '' : `-${runs}`}.jsonl`;
  await rounds(file, { jobs: jobsOf({ runs }) });
  report.line('trust', 'simulation', { ...calibrationPoints(), oracle: await oracle(lib, 500) });
  const cells = cellsIn(file);
  for (const { seed, regime, name, counts, figures } of cells.list) {
    const shares = Object.fromEntries(
      Object.entries(figures).map(([what, figure]) => [
        what,
        typeof figure === 'number' ? figure : figure.value,
      ]),
    );
    report.line('trust', name, { seed, regime, runs: counts.runs, ...shares });
  }
  const missed = checks(cells).filter(({ result }) => result !== 'met');
  for (const { regime, name, what, asked, measured } of missed)
    report.line('trust', name, { regime, missed: what, asked, measured });
  if (runs === 2000) report.exactly('targets that are missed', missed.length, 0);
  const unreviewed = cells.list
    .filter(({ name }) => name.startsWith('in turn'))
    .reduce((sum, { counts }) => sum + counts.unreviewed, 0);
  report.exactly('versions that judges in turn return unreviewed', unreviewed, 0);
  for (const name of [...presets, 'in turn 4/6']) {
    const { approved } = await cell(lib, name, { regime: { ...regimes.mid, outage: 1 }, runs: 50 });
    report.exactly(`approvals of ${name} while no judge answers`, approved, 0);
  }
}
