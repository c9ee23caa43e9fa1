import { Mastra } from '@mastra/core/mastra';
import { InMemoryStore } from '@mastra/core/storage';
import { createStep, createWorkflow } from '@mastra/core/workflows';
import { reviewStep } from 'reviewloop/mastra';
import * as z from 'zod';
import { answered, draft, type StreamPart, show } from './streamed-review.js';

const inputSchema = z.object({ topic: z.string() });
const outputSchema = z.object({ draft: z.string() });
const reviewed = createStep(
  reviewStep(draft, {
    id: 'reviewed',
    inputSchema,
    outputSchema,
    task: ({ topic }) => topic,
    output: ({ output }) => ({ draft: output ?? '' }),
  }),
);
const workflow = createWorkflow({ id: 'article', inputSchema, outputSchema })
  .then(reviewed)
  .commit();
const mastra = new Mastra({
  workflows: { article: workflow },
  storage: new InMemoryStore({ id: 'store' }),
  logger: false,
});

async function partsOf(stream: AsyncIterable<object>): Promise<StreamPart[]> {
  const parts: StreamPart[] = [];
  for await (const part of stream)
    if ('type' in part && String(part.type).startsWith('data-')) parts.push(part as StreamPart);
  return parts;
}

const run = await mastra.getWorkflow('article').createRun();
const asked = await partsOf(run.stream({ inputData: { topic: 'tea' } }).fullStream);
show(asked);
const resumed = run.resumeStream({ step: 'reviewed', resumeData: answered(asked) });
show(await partsOf(resumed.fullStream));
