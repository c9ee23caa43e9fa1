import { Agent, type Model, Runner, RunState, setTracingDisabled } from '@openai/agents';
import { definePipeline } from 'reviewloop';
import { agentsProducer } from 'reviewloop/openai-agents';
import { reply } from './cells.js';

setTracingDisabled(true);

const usage = { inputTokens: 10, outputTokens: 5, totalTokens: 15 };
const model: Model = {
  getResponse: () => Promise.reject(new Error('this model only streams')),
  async *getStreamedResponse({ input }) {
    const text = reply(JSON.stringify(input));
    yield { type: 'response_started' };
    yield { type: 'output_text_delta', delta: text };
    const content = [{ type: 'output_text' as const, text }];
    yield {
      type: 'response_done',
      response: {
        id: 'r',
        usage,
        output: [{ type: 'message', role: 'assistant', status: 'completed', content }],
      },
    };
  },
};

const agent = new Agent({ name: 'writer', model });
const article = definePipeline({
  ...agentsProducer({
    runner: new Runner(),
    agent,
    fromString: RunState.fromString,
    onEvent: (event) => console.log(event.type),
  }),
  criteria: { 'has-title': (text) => text.startsWith('# ') || 'no title' },
});
const stream = article.stream('Write about tea');
for await (const event of stream)
  if (event.type === 'review-end') console.log(event.type, event.review.decision.kind);
const { status, usage: used } = await stream.outcome;
console.log(status, used['produce']?.totalTokens, used['address']?.totalTokens);
