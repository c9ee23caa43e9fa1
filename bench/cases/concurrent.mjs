// 1000 loops of 5 criteria at a time in one process, without a limit.
import { interleaved, runChild } from '../lib/child.mjs';
import { median } from '../lib/stats.mjs';

const contenders = ['plain', 'sequential', 'reviewloop'];

export async function concurrent(report) {
  const shape = { criteria: 5, loops: 1000, callMs: 20 };
  const answers = await interleaved(contenders, 3, (name) =>
    runChild('concurrent', { ...shape, name }, ['--expose-gc']),
  );
  for (const name of contenders) {
    const middle = (key) => median(answers.get(name).map((one) => one[key]));
    const figures = {
      loopsPerSecond: middle('loopsPerSecond'),
      eventLoopDelayP99Ms: middle('delayP99'),
      bytesHeldPerLoop: middle('bytesHeld'),
      bytesKeptPerLoop: middle('bytesKept'),
    };
    report.line('concurrent', name, { ...shape, ...figures });
    if (name !== 'reviewloop') continue;
    report.atLeast('loops per second, 1000 at a time', figures.loopsPerSecond, 1400);
    report.atMost('event loop delay p99 with 1000 loops, ms', figures.eventLoopDelayP99Ms, 120);
    report.atMost('bytes held by a loop that waits', figures.bytesHeldPerLoop, 70_000);
    report.atMost('bytes kept per finished loop', figures.bytesKeptPerLoop, 1024);
    report.page('1000 loops at a time, loops per second', [figures.loopsPerSecond]);
    report.page('Event loop delay p99 meanwhile', [figures.eventLoopDelayP99Ms]);
    report.page('Held by a loop that waits, kB', [figures.bytesHeldPerLoop / 1000]);
  }
}
