// How long N loops side by side take when each call takes 20 ms and C calls may be out.
import { answer, given } from '../lib/child.mjs';
import { contender } from '../lib/library.mjs';
import { checkCalls, checkOutcome, scenario } from '../lib/scenario.mjs';
import { mean } from '../lib/stats.mjs';
import { realWait, virtualWait } from '../lib/waits.mjs';

const { name, criteria, loops, concurrency, callMs, virtual, tries } = given();
const makeLoop = await contender(name);

async function once() {
  const time = virtual ? virtualWait(callMs) : realWait(callMs);
  const setting = scenario(criteria, time.wait);
  const loop = makeLoop({ ...setting, concurrency });
  const start = time.now();
  const ends = await time.during(() =>
    Promise.all(
      Array.from({ length: loops }, async () => {
        checkOutcome(await loop());
        return time.now() - start;
      }),
    ),
  );
  checkCalls(setting, loops);
  return { makespan: Math.max(...ends), meanCompletion: mean(ends), peak: setting.out.peak };
}

if (!virtual) await once();
const runs = [];
for (let index = 0; index < tries; index += 1) runs.push(await once());
answer(
  runs.reduce((best, run) => ({
    ...(run.makespan < best.makespan ? run : best),
    peak: Math.max(run.peak, best.peak),
  })),
);
