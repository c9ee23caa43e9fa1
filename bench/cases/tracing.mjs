// What traces cost: without an SDK, and with an SDK that exports nothing.
import { runChild } from '../lib/child.mjs';

const criteria = 20;

export async function tracing(report) {
  for (const sdk of ['none', 'registered']) {
    const { plain, traced, ratio } = await runChild('tracing', { sdk, criteria });
    report.line('tracing', 'reviewloop', {
      sdk,
      criteria,
      cpuMicrosPerLoop: plain,
      cpuMicrosTraced: traced,
      ratio,
    });
    if (sdk === 'none')
      report.atMost('CPU per loop with `traceRuns` and no SDK, in loops without', ratio, 1.02);
  }
}
