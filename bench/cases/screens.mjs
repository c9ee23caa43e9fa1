// What the criteria about HTML and CSS cost, once, ten times and a hundred times as much: the time has to grow with the size.
import { runChild } from '../lib/child.mjs';

export async function screens(report) {
  for (const kind of ['html', 'css']) {
    for (const times of [1, 10, 100]) {
      const { bytes, criteria, ms, findings } = await runChild('screens', { kind, times });
      report.line('screens', 'reviewloop', {
        kind,
        times,
        kilobytes: bytes / 1000,
        criteria,
        milliseconds: ms,
        millisecondsPerKilobyte: ms / (bytes / 1000),
        findings,
      });
    }
  }
}
