// Judge calls against the fewest that the changes allow.
import { runChild } from '../lib/child.mjs';

const expected = [
  { readAll: 0, fewest: 28, plain: 60 },
  { readAll: 4, fewest: 34, plain: 60 },
];

export async function calls(report) {
  for (const { readAll, fewest, plain } of expected) {
    for (const [name, want] of [
      ['plain', plain],
      ['reviewloop', fewest],
    ]) {
      const { judged, approved, iterations } = await runChild('calls', { name, readAll });
      report.line('calls', name, { criteria: 20, readAll, judged, fewest, ratio: judged / fewest });
      const what = `${name}, ${readAll} of 20 criteria read everything`;
      report.exactly(`judge calls, ${what}`, judged, want);
      report.exactly(`approved after reviews, ${what}`, approved ? iterations : 'not approved', 3);
    }
    const { judged, judgedAgain, approvedAgain } = await runChild('calls', {
      name: 'reviewloop',
      readAll,
      keepVerdicts: true,
    });
    report.line('calls', 'reviewloop, second run with a verdict store', {
      criteria: 20,
      readAll,
      judged: judgedAgain,
      fewest: 0,
    });
    report.exactly(
      `judge calls of a second run over the same output with a verdict store, ${readAll} of 20 criteria read everything`,
      approvedAgain ? judgedAgain : 'not approved',
      0,
    );
    report.exactly(
      `judge calls of the first run with a verdict store, ${readAll} of 20 criteria read everything`,
      judged,
      fewest,
    );
  }
}
