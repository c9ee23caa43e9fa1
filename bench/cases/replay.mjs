// What a journalled step costs in memory, when it is recorded and when it is replayed.
import { interleaved, runChild } from '../lib/child.mjs';

const steps = 10_000;

export async function replay(report) {
  const answers = (await interleaved(['reviewloop'], 3, () => runChild('replay', { steps }))).get(
    'reviewloop',
  );
  const least = (key) => Math.min(...answers.map((one) => one[key].micros));
  report.line('replay', 'reviewloop', {
    steps,
    appendMicrosPerStep: least('append'),
    replayMicrosPerStep: least('replay'),
    finishedRunMicrosPerStep: least('again'),
  });
  for (const [index, { append, replay, again, produced }] of answers.entries()) {
    const round = `round ${index + 1}`;
    report.exactly(`steps executed by the run that breaks, ${round}`, append.executed, steps);
    report.exactly(`steps executed by its second start, ${round}`, replay.executed, 0);
    report.exactly(`steps executed by its third start, ${round}`, again.executed, 0);
    report.exactly(`calls of produce in three starts, ${round}`, produced, 2);
    report.exactly(`end of the second start, ${round}`, replay.status, 'approved');
  }
}
