// CPU microseconds of a whole loop at zero latency, and in a process that just began.
import { interleaved, runChild } from '../lib/child.mjs';
import { median } from '../lib/stats.mjs';

const contenders = ['plain', 'sequential', 'reviewloop'];
const warmUps = { 1: 20_000, 5: 15_000, 20: 10_000 };
const goals = { 1: 12, 20: 4.5 };

export async function overhead(report) {
  await bytes(report);
  const ratios = {};
  for (const [criteria, warmUpLoops] of Object.entries(warmUps)) {
    const answers = await interleaved(contenders, 3, (name) =>
      runChild('overhead', { name, criteria: Number(criteria), warmUpLoops }),
    );
    const middle = (name, key) => median(answers.get(name).map((one) => one[key]));
    const plain = middle('plain', 'micros');
    for (const name of contenders)
      report.line('overhead', name, {
        criteria: Number(criteria),
        cpuMicrosPerLoop: middle(name, 'micros'),
        cpuMicrosOfFirst500: middle(name, 'firstMicros'),
        ratioToPlain: middle(name, 'micros') / plain,
      });
    const own = middle('reviewloop', 'micros');
    ratios[criteria] = own / plain;
    const goal = goals[criteria];
    if (goal === undefined) continue;
    report.atMost(`CPU per loop of ${criteria} criteria, in loops of plain`, own / plain, goal);
    report.atMost(
      `the first 500 loops of ${criteria} criteria, in warm ones`,
      middle('reviewloop', 'firstMicros') / own,
      2.5,
    );
  }
  report.page('CPU per loop, relative to plain, K=20 / K=1', [ratios[20], ratios[1]]);
}

async function bytes(report) {
  const ratios = {};
  for (const criteria of [1, 20]) {
    const found = {};
    for (const name of ['plain', 'reviewloop']) {
      const flags = ['--expose-gc', '--min-semi-space-size=16'];
      found[name] = (await runChild('bytes', { name, criteria }, flags)).bytes;
      report.line('bytes', name, { criteria, bytesPerLoop: found[name] });
    }
    ratios[criteria] = found.reviewloop / found.plain;
  }
  report.neverAbove('bytes per loop of 20 criteria, in those of plain', ratios[20], 2.2);
  report.page('Bytes per loop, relative to plain, K=20 / K=1', [ratios[20], ratios[1]]);
}
