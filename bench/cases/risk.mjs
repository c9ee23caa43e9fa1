// The risk that measured judges predict for approvals, against the truth of the simulated world: 2,000 tasks a world take about
// five minutes on a quiet machine; RISK_RUNS takes fewer, RISK_EXAMPLES labels more or fewer items.
import { library, trustLibrary } from '../lib/library.mjs';
import { measuredJudges, riskCell } from '../risk/measure.mjs';
import { regimes } from '../trust/simulation.mjs';

export async function risk(report) {
  const lib = { ...(await trustLibrary()), ...(await library('calibration')) };
  const runs = Number(process.env.RISK_RUNS ?? 2000);
  const examples = Number(process.env.RISK_EXAMPLES ?? 1500);
  for (const name of ['mid', 'strong', 'agreeable']) {
    const { model, predicted } = await measuredJudges(lib, { regime: regimes[name], examples });
    const found = await riskCell(lib, { regime: regimes[name], runs, model });
    report.line('risk', name, { ...found, first: predicted.first, edited: predicted.edited });
    if (name !== 'agreeable') continue;
    const { approved } = await riskCell(lib, { regime: regimes[name], runs, model, budget: 0.3 });
    report.exactly('approvals of the agreeable judge within a risk of 0.3', approved, 0);
  }
}
