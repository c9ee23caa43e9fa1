// CPU time of whole loops whose calls take no time: what the loop itself costs.
import { answer, given } from '../lib/child.mjs';
import { contender } from '../lib/library.mjs';
import { checkCalls, checkOutcome, scenario } from '../lib/scenario.mjs';

// on a busy machine the compiler is not done after a time, but after a number of loops
const { name, criteria, warmUpLoops, batches = 25, batchMs = 60 } = given();
const firstLoops = 500;
const makeLoop = await contender(name);
const setting = scenario(criteria);
const loop = makeLoop({ ...setting, concurrency: 16 });
let loops = 0;

/** Runs tens of loops while a condition holds, and returns the microseconds of one. */
async function runWhile(goesOn) {
  const before = loops;
  const cpu = process.cpuUsage();
  while (goesOn()) {
    for (let index = 0; index < 10; index += 1) checkOutcome(await loop());
    loops += 10;
  }
  const { user, system } = process.cpuUsage(cpu);
  return (user + system) / (loops - before);
}

const firstMicros = await runWhile(() => loops < firstLoops);
await runWhile(() => loops < warmUpLoops);
const micros = [];
for (let batch = 0; batch < batches; batch += 1) {
  const end = performance.now() + batchMs;
  micros.push(await runWhile(() => performance.now() < end));
}
checkCalls(setting, loops);
answer({ loops, firstMicros, micros: Math.min(...micros) });
