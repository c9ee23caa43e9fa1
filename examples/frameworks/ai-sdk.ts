/**
 * An agent of the AI SDK as the producer of a pipeline: its review appears in the stream of UI
 * messages, and a tool that needs approval waits for a person.
 */
import { createUIMessageStream, type LanguageModel, stepCountIs, ToolLoopAgent, tool } from 'ai';
import * as mocks from 'ai/test';
import { definePipeline, memoryStore } from 'reviewloop';
import { agentProducer, reviewTool, reviewUIStream } from 'reviewloop/ai-sdk';
import * as z from 'zod';

// a scripted model: it asks for the price, and adds a title after a review asks for one
const Mock: new (given: object) => Exclude<LanguageModel, string> =
  Reflect.get(mocks, 'MockLanguageModelV4') ?? Reflect.get(mocks, 'MockLanguageModelV3');
const model = new Mock({
  doGenerate: async ({ prompt }: { prompt: unknown }) => {
    const told = JSON.stringify(prompt);
    const ready = told.includes('tool-result') || told.includes('no title');
    const text = told.includes('no title') ? '# Tea, 4 EUR' : 'Tea, 4 EUR';
    return {
      content: ready
        ? [{ type: 'text', text }]
        : [{ type: 'tool-call', toolCallId: '1', toolName: 'price', input: '{"of":"tea"}' }],
      finishReason: { unified: ready ? 'stop' : 'tool-calls', raw: undefined },
      usage: { inputTokens: { total: 10 }, outputTokens: { total: 5 } },
      warnings: [],
    };
  },
});

const price = tool({
  description: 'Looks a price up',
  inputSchema: z.object({ of: z.string() }),
  needsApproval: true,
  execute: async () => 4,
});
const agent = new ToolLoopAgent({ model, tools: { price }, stopWhen: stepCountIs(5) });

const criteria = { 'has-title': (text: string) => text.startsWith('# ') || 'no title' };
const article = definePipeline({
  ...agentProducer(agent, { prompt: (topic: string) => `Write about ${topic}` }),
  criteria,
  store: memoryStore(), // in a server: fileStore('.reviewloop')
});

const waiting = await article.run('tea', { runId: 'tea-1' });
if (waiting.status === 'suspended') {
  const [request] = waiting.requests;
  console.log(request.question, JSON.stringify(request.subject));
  const stream = createUIMessageStream({
    execute: async ({ writer }) => {
      await article.answer(request, { kind: 'approve', by: 'ann' }, { on: reviewUIStream(writer) });
    },
  });
  for await (const part of stream) console.log(part.type);
}

// the other way round: an agent has its draft reviewed
const review = reviewTool(definePipeline({ produce: async () => '', criteria }), { task: 'tea' });
const { approved, gaps } = await review.execute({ output: 'Tea' });
console.log(approved, gaps[0]?.description);
