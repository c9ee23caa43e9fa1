import * as ai from 'ai';
import { type LanguageModel, stepCountIs, ToolLoopAgent, tool } from 'ai';
import * as mocks from 'ai/test';
import { agentProducer } from 'reviewloop/ai-sdk';
import * as z from 'zod';
import { type AgentWish, callsTool, hang, reply, runCells } from './cells.js';

// each major of the AI SDK has a mock of its own kind of model
const Mock: new (given: object) => Exclude<LanguageModel, string> =
  Reflect.get(mocks, 'MockLanguageModelV4') ?? Reflect.get(mocks, 'MockLanguageModelV3');

interface ModelCall {
  readonly prompt: unknown;
  readonly abortSignal?: AbortSignal;
}

function modelOf(wish: AgentWish) {
  const { counts, hangs } = wish;
  return new Mock({
    doGenerate: async ({ prompt, abortSignal }: ModelCall) => {
      counts.model += 1;
      if (hangs) return hang(abortSignal, counts);
      const text = JSON.stringify(prompt);
      const calls = callsTool(wish, text, 'tool-result');
      return {
        content: calls
          ? [{ type: 'tool-call', toolCallId: 'call-1', toolName: 'publish', input: '{"price":4}' }]
          : [{ type: 'text', text: reply(text) }],
        finishReason: { unified: calls ? 'tool-calls' : 'stop', raw: undefined },
        usage: {
          inputTokens: { total: 10, noCache: 6, cacheRead: 4, cacheWrite: undefined },
          outputTokens: { total: 5, text: 3, reasoning: 2 },
        },
        warnings: [],
      };
    },
  });
}

/** Lets the AI SDK make spans: version 7 by what it registers, version 6 by an option of each call. */
async function telemetryOf({ traced }: AgentWish): Promise<object> {
  if (!traced) return {};
  const register: unknown = Reflect.get(ai, 'registerTelemetry');
  if (typeof register !== 'function') return { experimental_telemetry: { isEnabled: true } };
  const { OpenTelemetry } = await import('@ai-sdk/otel' as string);
  register(new OpenTelemetry());
  return {};
}

await runCells(async (wish) => {
  const publish = tool({
    description: 'publishes a price',
    inputSchema: z.object({ price: z.number() }),
    needsApproval: true,
    execute: async () => {
      wish.counts.tool += 1;
      return 'published';
    },
  });
  const agent = new ToolLoopAgent({
    model: modelOf(wish),
    tools: { publish },
    stopWhen: stepCountIs(5),
    ...(await telemetryOf(wish)),
  });
  const judge = (text: string) => agent.generate({ prompt: `no title ${text}` });
  return { ...agentProducer(agent), judge };
});
