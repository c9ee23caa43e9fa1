// What a workspace of a thousand files costs: kept for the first time, again, after one change, and brought back.
import { interleaved, runChild } from '../lib/child.mjs';

const files = 1000;

export async function workspace(report) {
  const answers = (
    await interleaved(['reviewloop'], 3, () => runChild('workspace', { files }))
  ).get('reviewloop');
  const least = (key) => Math.min(...answers.map((one) => one[key]));
  report.line('workspace', 'reviewloop', {
    files,
    firstMs: least('first'),
    unchangedMs: least('unchanged'),
    oneChangedMs: least('changed'),
    restoreOneMs: least('restoreOne'),
    restoreAllMs: least('restoreAll'),
  });
  for (const [index, { same }] of answers.entries())
    report.exactly(`a state comes back with its digest, round ${index + 1}`, same, true);
}
