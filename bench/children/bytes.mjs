// The bytes that a loop allocates. Needs --expose-gc, and a young space that ten loops do not fill.
import { answer, given } from '../lib/child.mjs';
import { contender } from '../lib/library.mjs';
import { checkOutcome, scenario } from '../lib/scenario.mjs';
import { median } from '../lib/stats.mjs';

const { name, criteria } = given();
const makeLoop = await contender(name);
const loop = makeLoop({ ...scenario(criteria), concurrency: 16 });
const loops = 10;

async function allocated() {
  globalThis.gc();
  const before = process.memoryUsage().heapUsed;
  for (let index = 0; index < loops; index += 1) checkOutcome(await loop());
  return (process.memoryUsage().heapUsed - before) / loops;
}

// what compiled code is made of and what it allocates changes until it is compiled
for (let index = 0; index < 100; index += 1) await allocated();
const samples = [];
for (let index = 0; index < 25; index += 1) samples.push(await allocated());
answer({ bytes: median(samples) });
