// The reviewer stage: loading the work from git, reviewing it with judges of a fixed latency (what is above one latency is ours), and its summary.
import { runChild } from '../lib/child.mjs';

export async function stage(report) {
  const judgeMs = 200;
  for (const files of [3, 30, 150]) {
    const { loadMs, reviewMs, summaryMs, calls, decision } = await runChild('stage', { files, judgeMs });
    report.line('stage', 'reviewloop', { files, review: files <= 5 ? 'simple' : 'complex', judgeMs, loadMs, reviewMs, aboveJudgeMs: reviewMs - judgeMs, summaryMs, calls, decision });
  }
}
