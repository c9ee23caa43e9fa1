// Updates an item of a checklist, or runs a gate over a plan and stops for good inside of a verification or a fix.
import { appendFileSync } from 'node:fs';
import { fileChecklists, fileStore } from '@/adapters/stores/file/index.js';
import type { AgentOutput } from '@/index.js';
import { ChecklistGate, type ChecklistItem } from '@/products/checklist-gate/index.js';

const [, , mode = '', directory = '', argument = '', log = ''] = process.argv;
const store = fileChecklists(`${directory}/qr`);

async function stop(): Promise<never> {
  console.log('reached');
  setInterval(() => {}, 1000);
  return new Promise<never>(() => {});
}

const text = (faults: number): string => `begin\n${'fault\n'.repeat(faults)}`;
const faultsIn = (output: AgentOutput): number =>
  output.artifacts[0]?.content?.split('\n').filter((line) => line === 'fault').length ?? 0;

if (mode === 'update') {
  const gate = new ChecklistGate({ phase: 'impl-code', store });
  const id = `impl-code-${argument.padStart(3, '0')}`;
  await gate.update(
    id,
    Number(argument) % 2 === 0
      ? { status: 'PASS' }
      : { status: 'FAIL', finding: `found by ${argument}` },
  );
} else {
  const calls: Record<string, number> = {};
  const verify = async (item: ChecklistItem, view: unknown): Promise<true | string> => {
    const output = view as AgentOutput;
    const call = `${item.id} over ${faultsIn(output)}`;
    calls[call] = (calls[call] ?? 0) + 1;
    if (argument === call) await stop();
    appendFileSync(log, `${call}\n`);
    return Number(item.id.slice(-3)) > faultsIn(output) || `fault ${item.id}`;
  };
  const gate = new ChecklistGate({
    phase: 'impl-code',
    store,
    runs: fileStore(directory),
    decompose: () => Array.from({ length: 4 }, () => ({ scope: '*', check: 'No faults.' })),
    verify,
    fix: async (output, { items }, { iteration }) => {
      if (argument === `fix ${iteration}`) await stop();
      appendFileSync(log, `fix ${iteration}: ${items.length}\n`);
      return {
        artifacts: [{ type: 'text', path: 'a', content: text(faultsIn(output) - 1) }],
      };
    },
  });
  const run = await gate.run(
    { artifacts: [{ type: 'text', path: 'a', content: text(3) }] },
    { runId: 'one' },
  );
  console.log(
    JSON.stringify({
      status: run.status,
      loop: run.loop,
      iteration: run.iteration,
      outcome: run.outcome.status,
    }),
  );
}
