// How often the presets approve what is wrong, over texts that are edited, with simulated judges. TRUST_RUNS sets the tasks a cell.
import { trustLibrary } from '../lib/library.mjs';
import { presetCells } from '../trust/contenders.mjs';
import { cell, figures } from '../trust/measure.mjs';
import { regimes } from '../trust/regimes.mjs';

export async function trust(report) {
  const lib = await trustLibrary();
  const runs = Number(process.env.TRUST_RUNS ?? 200);
  for (const { name } of presetCells) {
    const counts = await cell(lib, name, { regime: regimes.strong, runs });
    const { clean, approved, falseApprovals, calls } = figures(counts);
    report.line('trust', name, {
      ...{ runs, calls, clean: clean.value },
      ...{ approved: approved.value, wrong: falseApprovals.value },
    });
    report.exactly('versions that nobody reviewed', counts.unreviewed, 0);
    const dark = await cell(lib, name, { regime: { ...regimes.mid, outage: 1 }, runs: 20 });
    report.exactly(`approvals of ${name} while no judge answers`, dark.approved, 0);
  }
}
