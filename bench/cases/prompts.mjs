// Calls, prompt tokens (o200k, exact) and what a service can keep of a prompt it has read, for the ways to ask a judge.
import { runChild } from '../lib/child.mjs';

/** bench/README.md: 20 criteria, 5 artifacts of 8 kB, 3 reviews, each of two fixes touches one artifact. */
const modes = {
  single: { calls: 60, tokens: 640_000, shared: 0.97, unread: 16_640 },
  scoped: { calls: 60, tokens: 137_744 },
  reused: { calls: 28, tokens: 65_264 },
  batch: { calls: 3, tokens: 35_135 },
  'batch-reused': { calls: 3, tokens: 16_879 },
};

export async function prompts(report) {
  const naive = await runChild('prompts', { mode: 'single' });
  for (const [mode, known] of Object.entries(modes)) {
    const { calls, tokens, shared, units, approved } =
      mode === 'single' ? naive : await runChild('prompts', { mode });
    const unread = Math.round(tokens * (1 - shared));
    report.line('prompts', `reviewloop ${mode}`, {
      calls,
      tokens,
      shared,
      unread,
      units,
      ofNaive: naive.units / units,
    });
    report.exactly(`model calls, ${mode}`, calls, known.calls);
    report.exactly(`approved, ${mode}`, approved, true);
    report.atMost(`prompt tokens, ${mode}`, tokens, known.tokens);
    if (known.shared !== undefined)
      report.atLeast(`share of prompts read before, ${mode}`, shared, known.shared);
    if (known.unread !== undefined)
      report.atMost(`tokens that no prompt before began with, ${mode}`, unread, known.unread);
  }
}
