// CPU time of whole loops whose calls take no time: what the loop itself costs.
import { answer, given } from '../lib/child.mjs';
import { contender } from '../lib/library.mjs';
import { checkCalls, checkOutcome, scenario } from '../lib/scenario.mjs';

const { name, criteria, warmUpMs = 1500, batches = 25, batchMs = 60 } = given();
const makeLoop = await contender(name);
const setting = scenario(criteria);
const loop = makeLoop({ ...setting, concurrency: 16 });
let loops = 0;

async function runFor(ms) {
  const before = loops;
  const cpu = process.cpuUsage();
  const end = performance.now() + ms;
  while (performance.now() < end) {
    for (let index = 0; index < 10; index += 1) checkOutcome(await loop());
    loops += 10;
  }
  const { user, system } = process.cpuUsage(cpu);
  return (user + system) / (loops - before);
}

await runFor(warmUpMs);
const micros = [];
for (let batch = 0; batch < batches; batch += 1) micros.push(await runFor(batchMs));
checkCalls(setting, loops);
answer({ loops, micros: Math.min(...micros) });
