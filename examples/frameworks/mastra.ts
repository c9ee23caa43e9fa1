/**
 * A pipeline as a step of a workflow of Mastra. Its stream contains the reviews, and it is suspended
 * until a person approves.
 */
import { Mastra } from '@mastra/core/mastra';
import { InMemoryStore } from '@mastra/core/storage';
import { createStep, createWorkflow } from '@mastra/core/workflows';
import { definePipeline, memoryStore } from 'reviewloop';
import { reviewStep } from 'reviewloop/mastra';
import * as z from 'zod';

const article = definePipeline({
  // your model, or an agent: ...mastraProducer(agent)
  produce: async (topic: string) => `All about ${topic}.`,
  address: async (text) => `# Tea\n\n${text}`,
  criteria: { 'has-title': (text) => text.startsWith('# ') || 'no title' },
  human: { policy: 'require' },
  store: memoryStore(), // with a storage that outlives the process: fileStore('.reviewloop')
});

const schemas = {
  inputSchema: z.object({ topic: z.string() }),
  outputSchema: z.object({ draft: z.string(), status: z.string() }),
};

const reviewed = createStep(
  reviewStep(article, {
    id: 'reviewed',
    ...schemas,
    task: ({ topic }) => topic,
    output: ({ output, status }) => ({ draft: output ?? '', status }),
  }),
);
const workflow = createWorkflow({ id: 'article', ...schemas })
  .then(reviewed)
  .commit();
const mastra = new Mastra({
  workflows: { article: workflow },
  storage: new InMemoryStore({ id: 'store' }),
  logger: false,
});

const run = await mastra.getWorkflow('article').createRun();
const stream = run.stream({ inputData: { topic: 'tea' } });
for await (const { type, ...part } of stream.fullStream)
  if (type.startsWith('data-')) console.log(type, Object(part).data.approved ?? '');
const first = await stream.result;
console.log(first.status);

if (first.status === 'suspended') {
  const step = first.steps['reviewed'];
  const { id, digest, question } = Object(step).suspendPayload;
  console.log(question);
  const answer = { kind: 'approve', by: 'ann' };
  const stale = { id, digest: 'of an earlier draft', answer };
  const again = await run.resume({ step: 'reviewed', resumeData: stale });
  const asked = again.steps['reviewed'];
  console.log(Object(asked).suspendPayload.refused);
  const last = await run.resume({ step: 'reviewed', resumeData: { id, digest, answer } });
  if (last.status === 'success')
    console.log(`${last.result.status}: ${last.result.draft.split('\n')[0]}`);
}
