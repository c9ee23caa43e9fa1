// Runs, or answers, a pipeline whose `produce` asks; stops for good at the record it is told.
import { appendFileSync } from 'node:fs';
import * as z from 'zod';
import { fileStore } from '@/adapters/stores/file/index.js';
import { sqliteStore } from '@/adapters/stores/sqlite/index.js';
import { definePipeline, type HumanAnswer, type Outcome, type Store } from '@/index.js';

const [, , directory = '', log = '', stopAt = '', given = ''] = process.argv;
const inner = directory.endsWith('.db') ? sqliteStore(directory) : fileStore(directory);

/** Stops the process for good before or after a record, counted over this process. */
let records = 0;
async function reach(place: string): Promise<void> {
  if (place !== stopAt) return;
  console.log('reached');
  setInterval(() => {}, 1000);
  await new Promise<never>(() => {});
}

const store: Store = {
  list: inner.list,
  read: inner.read,
  open: async (runId, keep) => {
    const journal = await inner.open(runId, keep);
    return {
      ...journal,
      append: async (record) => {
        records += 1;
        await reach(`${records} before`);
        await journal.append(record);
        await reach(`${records} after`);
      },
    };
  },
};

const pipeline = definePipeline<string, string>({
  name: 'asking',
  store,
  produce: async (task, context) => {
    const turn = (n: number) =>
      context.step(`turn:${n}`, { input: n, schema: z.string() }, async () => {
        appendFileSync(log, `turn ${n}\n`);
        context.reportUsage({ inputTokens: 10 ** n });
        return `[${n}]`;
      });
    const parts = [await turn(1), await turn(2)];
    const answers = await Promise.all(
      ['a', 'b'].map((tool) =>
        context.ask(tool, {
          question: `run ${tool}?`,
          allowed: ['approve', 'reject'],
          subject: tool,
        }),
      ),
    );
    return `${task} ${parts.join('')} ${answers.map(({ by }) => by).join(' ')} ${await turn(3)}`;
  },
  criteria: { long: (text) => text.length > 2 || 'too short' },
});

function tell(outcome: Outcome<string>): void {
  const { status, output, usage } = outcome;
  const requests = outcome.status === 'suspended' ? outcome.requests : [];
  console.log(
    JSON.stringify({ status, output, tokens: usage.produce.inputTokens, requests, records }),
  );
}

try {
  if (given === '') tell(await pipeline.run('tea', { runId: 'r' }));
  else {
    const { request, answer } = JSON.parse(given) as {
      request: { runId: string; id: string; digest: string };
      answer: HumanAnswer;
    };
    tell(await pipeline.answer(request, answer));
  }
} catch (error) {
  console.log(
    JSON.stringify({
      thrown: error instanceof Error && 'code' in error ? error.code : String(error),
    }),
  );
}
