// Files of a step as the payload of a quality gate: against `cat`, in memory, and with few handles.
import { runChild } from '../lib/child.mjs';

export async function payload(report) {
  const time = await runChild('payload', { mode: 'time', files: 1000, rounds: 25 });
  report.line('payload', 'reviewloop, 1000 files', {
    ms: time.ms,
    catMs: time.catMs,
    ofCat: time.ratio,
    bytes: time.bytes,
  });
  report.atMost('payload of 1000 files, of cat', time.ratio, 1.2);
  const whole = await runChild('payload', { mode: 'memory', files: 10_000 }, ['--expose-gc']);
  report.line('payload', 'reviewloop, 10000 files', {
    memory: whole.memory,
    mb: whole.mb,
    handles: whole.handles,
    bytes: whole.bytes,
  });
  report.atMost('memory of 10000 files inline, of their size', whole.memory, 2);
  report.atMost('handles open beside those before', whole.handles, 64);
  const budget = await runChild('payload', { mode: 'budget', files: 10_000 }, ['--expose-gc']);
  report.line('payload', 'reviewloop, 10000 files with a budget', {
    mb: budget.mb,
    length: budget.length,
  });
  report.atMost('megabytes for 10000 files with a budget of 0.4', budget.mb, 24);
}
