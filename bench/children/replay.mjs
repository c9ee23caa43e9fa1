// A run of many steps that breaks at its end, then the same run again: every step comes from the journal.
import * as z from 'zod';
import { answer, given } from '../lib/child.mjs';
import { library } from '../lib/library.mjs';

const { steps } = given();
const { definePipeline } = await library();
const schema = z.object({ text: z.string() });
let executed = 0;
let produced = 0;

const pipeline = definePipeline({
  criteria: { fine: () => true },
  produce: async (_task, { step }) => {
    produced += 1;
    for (let index = 0; index < steps; index += 1) {
      await step(`step-${index}`, { input: { index }, schema }, async () => {
        executed += 1;
        return { text: `result of ${index}` };
      });
    }
    if (produced === 1) throw new Error('broken on purpose');
    return 'output';
  },
});

async function timed(runId) {
  const before = executed;
  const cpu = process.cpuUsage();
  const { status } = await pipeline.run('task', { runId });
  const { user, system } = process.cpuUsage(cpu);
  return { status, executed: executed - before, micros: (user + system) / steps };
}

produced = 1;
await timed('warm-up');
produced = 0;
const append = await timed('measured');
const replay = await timed('measured');
const again = await timed('measured');
answer({ append, replay, again, produced });
