// Makespan against what is attainable, and calls out at a time against the limit.
import { interleaved, runChild } from '../lib/child.mjs';
import { barrierBound, listSchedule, naiveBound } from '../lib/schedule.mjs';

const contenders = ['plain', 'sequential', 'reviewloop'];
const callMs = 20;
const shapes = [
  { criteria: 20, loops: 1, concurrency: 8 },
  { criteria: 20, loops: 1, concurrency: 32 },
  { criteria: 5, loops: 10, concurrency: 8 },
  { criteria: 20, loops: 10, concurrency: 32 },
];

export async function makespan(report) {
  for (const shape of shapes) {
    const { criteria, loops, concurrency } = shape;
    const naive = naiveBound({ ...shape, callMs });
    const attainable =
      loops === 1
        ? barrierBound({ ...shape, callMs })
        : listSchedule({ ...shape, callMs }).makespan;
    const goal = 1.05;
    const label = `K=${criteria} N=${loops} C=${concurrency}`;
    for (const virtual of [true, false]) {
      const rounds = virtual ? 1 : 3;
      const answers = await interleaved(contenders, rounds, (name) =>
        runChild('makespan', { ...shape, name, callMs, virtual, tries: virtual ? 1 : 3 }),
      );
      for (const name of contenders) {
        const best = answers.get(name).reduce((a, b) => (b.makespan < a.makespan ? b : a));
        const peak = Math.max(...answers.get(name).map((one) => one.peak));
        report.line('makespan', name, {
          ...shape,
          time: virtual ? 'virtual' : 'real',
          makespanMs: best.makespan,
          attainableMs: attainable,
          naiveMs: naive,
          ratio: best.makespan / attainable,
          meanCompletionMs: best.meanCompletion,
          peak,
        });
        if (name !== 'reviewloop') continue;
        report.neverAbove(
          `peak of calls out, ${label}, ${virtual ? 'virtual' : 'real'} time`,
          peak,
          concurrency,
        );
        if (virtual)
          report.neverAbove(
            `makespan over attainable, ${label}, virtual time`,
            best.makespan / attainable,
            goal,
          );
        else
          report.atMost(
            `makespan over attainable, ${label}, real time`,
            best.makespan / attainable,
            goal,
          );
      }
    }
  }
}
