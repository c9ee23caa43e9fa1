// How fast a fenced verdict is read, against JSON.parse of the bare verdict; and what the slowest odd text takes.
import { runChild } from '../lib/child.mjs';

export async function answers(report) {
  for (const kilobytes of [4, 64]) {
    const { plain, fenced, slowestMs, slowest, texts } = await runChild('answers', { kilobytes });
    report.line('answers', 'reviewloop', {
      kilobytes,
      parseMBps: plain,
      fencedMBps: fenced,
      ratio: fenced / plain,
      texts,
      slowestMs,
      slowest,
    });
    report.atLeast(`fenced verdict of ${kilobytes} kB against JSON.parse`, fenced / plain, 0.5);
    report.atMost(`slowest of ${texts} odd texts, ms`, slowestMs, 50);
  }
}
