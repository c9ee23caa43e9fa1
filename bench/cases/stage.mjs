// The reviewer stage: loading the work from git, reviewing it with judges of a fixed latency (what is above one latency is ours), and its summary.
import { runChild } from '../lib/child.mjs';

export async function stage(report) {
  const judgeMs = 200;
  for (const files of [3, 30, 150]) {
    const { loadMs, commitMs, cpuMs, reviewMs, summaryMs, calls, decision } = await runChild(
      'stage',
      { files, judgeMs },
    );
    const told = {
      loadMs,
      commitMs,
      cpuMs,
      reviewMs,
      aboveJudgeMs: reviewMs - judgeMs,
      summaryMs,
      calls,
      decision,
    };
    report.line('stage', 'reviewloop', {
      files,
      review: files <= 5 ? 'simple' : 'complex',
      judgeMs,
      ...told,
    });
    report.atMost(`milliseconds to load ${files} files of a working tree`, loadMs, 5000);
    report.atMost(`milliseconds to load ${files} files of a commit`, commitMs, 5000);
    report.atMost(`milliseconds for the summary of ${files} files`, summaryMs, 5000);
  }
}
