// What a step costs that survives the process: appended one after another and side by side, and replayed; beside the same in memory.
import { interleaved, runChild } from '../lib/child.mjs';

const steps = 10_000;
const contenders = {
  memory: { store: 'memory', width: 1 },
  'file, one after another': { store: 'file', width: 1 },
  'file, 16 side by side': { store: 'file', width: 16 },
  'sqlite, one after another': { store: 'sqlite', width: 1 },
  'sqlite, 16 side by side': { store: 'sqlite', width: 16 },
};

export async function durable(report) {
  const answers = await interleaved(Object.keys(contenders), 2, (name) =>
    runChild('durable', { steps, ...contenders[name] }),
  );
  for (const [name, rounds] of answers) {
    const least = (phase, key) => Math.min(...rounds.map((one) => one[phase][key]));
    report.line('durable', name, {
      steps,
      appendWallMicrosPerStep: least('append', 'wallMicros'),
      appendCpuMicrosPerStep: least('append', 'cpuMicros'),
      replayWallMicrosPerStep: least('replay', 'wallMicros'),
      replayCpuMicrosPerStep: least('replay', 'cpuMicros'),
      journalBytesPerStep: rounds[0].bytesPerStep,
    });
    for (const { append, replay } of rounds) {
      report.exactly(`steps executed by the run that breaks, ${name}`, append.executed, steps);
      report.exactly(`steps executed by the run after it, ${name}`, replay.executed, 0);
      report.exactly(`end of the run after it, ${name}`, replay.status, 'approved');
    }
  }
}
