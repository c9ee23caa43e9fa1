// Eight processes share 600 calls a minute for a minute. BENCH_POSTGRES is the address of a database.
import { runChild } from '../lib/child.mjs';

export async function limits(report) {
  const address = process.env.BENCH_POSTGRES;
  if (address === undefined) {
    report.line('limits', 'skipped', { why: 'BENCH_POSTGRES names no database' });
    return;
  }
  const [processes, perMinute, burst, ms] = [8, 600, 10, 60_000];
  const schema = `bench_${Date.now()}`;
  const options = {
    address,
    schema,
    callers: 5,
    startAt: Date.now() + 5000,
    ms,
    limit: { requestsPerMinute: perMinute, burst },
  };
  const all = await Promise.all(
    Array.from({ length: processes }, () => runChild('limits', options)),
  );
  const starts = all.flat().sort((a, b) => a - b);
  let most = 0;
  let over = Number.NEGATIVE_INFINITY;
  for (const [from, begin] of starts.entries())
    for (let to = from; to < starts.length; to += 1) {
      const [count, span] = [to - from + 1, starts[to] - begin];
      if (span < 60_000) most = Math.max(most, count);
      over = Math.max(over, count - (burst + (perMinute / 60_000) * span));
    }
  const used = starts.filter((at) => at - starts[0] < ms).length;
  report.line('limits', 'reviewloop', {
    processes,
    perMinute,
    startsInTheFirstMinute: used,
    mostInAnyMinute: most,
    mostAboveTheLine: over,
    fewestOfOneProcess: Math.min(...all.map(({ length }) => length)),
    mostOfOneProcess: Math.max(...all.map(({ length }) => length)),
  });
  report.neverAbove('calls in any minute, 600 shared by 8 processes', most, perMinute * 1.01);
  report.atLeast('share of the limit that 8 processes use', used / perMinute, 0.95);
}
