import {
  Agent,
  type Model,
  type ModelResponse,
  Runner,
  RunState,
  setTraceProcessors,
  setTracingDisabled,
  tool,
  Usage,
} from '@openai/agents';
import { agentsProducer } from 'reviewloop/openai-agents';
import { agentsTraceProcessor } from 'reviewloop/otel';
import * as z from 'zod';
import { type AgentWish, callsTool, hang, reply, runCells } from './cells.js';

function modelOf(wish: AgentWish): Model {
  const { counts, hangs } = wish;
  return {
    getResponse: async ({ input, signal }): Promise<ModelResponse> => {
      counts.model += 1;
      if (hangs) return hang(signal, counts);
      const text = JSON.stringify(input);
      const calls = callsTool(wish, text, 'function_call_result');
      return {
        usage: new Usage({
          inputTokens: 10,
          outputTokens: 5,
          totalTokens: 15,
          inputTokensDetails: { cached_tokens: 4 },
          outputTokensDetails: { reasoning_tokens: 2 },
        }),
        output: calls
          ? [
              {
                type: 'function_call',
                callId: 'call-1',
                name: 'publish',
                arguments: '{"price":4}',
                status: 'completed',
              },
            ]
          : [
              {
                type: 'message',
                role: 'assistant',
                status: 'completed',
                content: [{ type: 'output_text', text: reply(text) }],
              },
            ],
      };
    },
    getStreamedResponse: () => {
      throw new Error('not streamed');
    },
  };
}

await runCells((wish) => {
  // the SDK disables its tracing where NODE_ENV is test
  setTracingDisabled(!wish.traced);
  if (wish.traced) setTraceProcessors([agentsTraceProcessor()]);
  const publish = tool({
    name: 'publish',
    description: 'publishes a price',
    parameters: z.object({ price: z.number() }),
    needsApproval: true,
    execute: async () => {
      wish.counts.tool += 1;
      return 'published';
    },
  });
  const agent = new Agent({ name: 'writer', model: modelOf(wish), tools: [publish] });
  const runner = new Runner();
  const judge = (text: string) => runner.run(agent, `no title ${text}`);
  return { ...agentsProducer({ runner, agent, fromString: RunState.fromString }), judge };
});
