// Runs a gate with a judge that reads over a plan with planted faults, and stops for good at the n-th thing that happens.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { fileChecklists, fileStore } from '@/adapters/stores/file/index.js';
import type { ChecklistStore } from '@/products/checklist-gate/index.js';
import { type Kind, planGate, plantedPlan } from './checklist-plan.js';

const [, , directory = '', stopAt = '', spec = ''] = process.argv;
const { seed, mends, answer } = JSON.parse(spec) as {
  seed: number;
  mends: Kind[];
  answer?: { runId: string; requestId: string; digest: string };
};
const log = `${directory}/log`;
const logged = existsSync(log) ? readFileSync(log, 'utf8').split('\n').length - 1 : 0;
let happened = logged;

const file = fileChecklists(`${directory}/qr`);
let updating = 0;
/** The state file, and how many changes are under way: a change may wait for its lock by a timer. */
const store: ChecklistStore = {
  read: file.read,
  update: async (phase, change) => {
    updating += 1;
    try {
      return await file.update(phase, change);
    } finally {
      updating -= 1;
    }
  },
};

/** Once nothing is being written any more, says so, and does nothing else for ever. */
async function stop(): Promise<never> {
  for (let quiet = 0; quiet < 50; quiet += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    if (
      updating > 0 ||
      process.getActiveResourcesInfo().some((resource) => resource.startsWith('FSReq'))
    )
      quiet = 0;
  }
  console.log('reached');
  setInterval(() => {}, 1000);
  return new Promise<never>(() => {});
}

const gate = planGate({ store, runs: fileStore(directory) }, mends, async (what) => {
  happened += 1;
  if (stopAt !== '' && happened === Number(stopAt)) await stop();
  appendFileSync(log, `${what}\n`);
});
const run =
  answer === undefined
    ? await gate.run(plantedPlan(seed), { runId: 'one' })
    : await gate.answer(answer as never, { kind: 'override', by: 'Ada', reason: 'a spike' });
const { status, loop, iteration, outcome, accepted } = run;
console.log(
  JSON.stringify({
    status,
    loop,
    iteration,
    outcome: outcome.status,
    accepted: accepted.map(({ severity, accepted: by }) => [severity, by?.by]),
    request: outcome.status === 'suspended' ? outcome.requests : undefined,
  }),
);
