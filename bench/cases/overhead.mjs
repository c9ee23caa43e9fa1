// CPU microseconds of a whole loop at zero latency.
import { interleaved, runChild } from '../lib/child.mjs';
import { median } from '../lib/stats.mjs';

const contenders = ['plain', 'sequential', 'reviewloop'];

export async function overhead(report) {
  for (const criteria of [1, 5, 20]) {
    const answers = await interleaved(contenders, 3, (name) =>
      runChild('overhead', { name, criteria }),
    );
    const micros = Object.fromEntries(
      contenders.map((name) => [name, median(answers.get(name).map((answer) => answer.micros))]),
    );
    for (const name of contenders)
      report.line('overhead', name, {
        criteria,
        cpuMicrosPerLoop: micros[name],
        ratioToPlain: micros[name] / micros.plain,
        ratioToSequential: micros[name] / micros.sequential,
      });
    const goal = { 1: 10, 20: 5 }[criteria];
    if (goal !== undefined)
      report.atMost(
        `CPU per loop of ${criteria} criteria, in loops of plain`,
        micros.reviewloop / micros.plain,
        goal,
      );
  }
}
