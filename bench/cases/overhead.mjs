// CPU microseconds of a whole loop at zero latency, and in a process that just began.
import { interleaved, runChild } from '../lib/child.mjs';
import { median } from '../lib/stats.mjs';

const contenders = ['plain', 'sequential', 'reviewloop'];
const warmUps = { 1: 8000, 5: 5000, 20: 3000 };
const goals = { 1: 12, 20: 4.5 };

export async function overhead(report) {
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
