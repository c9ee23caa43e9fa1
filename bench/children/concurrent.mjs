// A thousand loops side by side, and what stays in memory of finished ones. Needs --expose-gc.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { answer, given } from '../lib/child.mjs';
import { contender } from '../lib/library.mjs';
import { checkCalls, checkOutcome, scenario } from '../lib/scenario.mjs';
import { median } from '../lib/stats.mjs';
import { realWait } from '../lib/waits.mjs';

const { name, criteria, loops, callMs, batches = 4 } = given();
const makeLoop = await contender(name);
const setting = scenario(criteria, realWait(callMs).wait);
const loop = makeLoop({ ...setting, concurrency: Number.POSITIVE_INFINITY });
let finished = 0;

async function batch() {
  await Promise.all(Array.from({ length: loops }, async () => checkOutcome(await loop())));
  finished += loops;
}

async function heapAfterGc() {
  for (let index = 0; index < 3; index += 1) {
    await new Promise((resolve) => void setTimeout(resolve, 20));
    globalThis.gc();
  }
  return process.memoryUsage().heapUsed;
}

for (let index = 0; index < 3; index += 1) await batch();
const times = [];
const delays = [];
const kept = [];
let heap = await heapAfterGc();
for (let index = 0; index < batches; index += 1) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const start = performance.now();
  await batch();
  times.push(performance.now() - start);
  delay.disable();
  delays.push(delay.percentile(99) / 1e6);
  await batch();
  const now = await heapAfterGc();
  kept.push((now - heap) / (2 * loops));
  heap = now;
}
checkCalls(setting, finished);

/** The bytes that a loop holds while all of them wait for their first judges. */
async function bytesHeld() {
  let release;
  const gate = new Promise((resolve) => {
    release = resolve;
  });
  const waiting = makeLoop({
    ...scenario(criteria, () => gate),
    concurrency: Number.POSITIVE_INFINITY,
  });
  const before = await heapAfterGc();
  const all = Promise.all(Array.from({ length: loops }, () => waiting()));
  const held = ((await heapAfterGc()) - before) / loops;
  release();
  await all;
  return held;
}

answer({
  bytesHeld: await bytesHeld(),
  loopsPerSecond: (1000 * loops) / Math.min(...times),
  delayP99: Math.min(...delays),
  bytesKept: median(kept),
});
