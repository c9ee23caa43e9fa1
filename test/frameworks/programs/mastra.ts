import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { Agent } from '@mastra/core/agent';
import { Mastra } from '@mastra/core/mastra';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import { trace } from '@opentelemetry/api';
import { MockLanguageModelV3 } from 'ai/test';
import { mastraProducer } from 'reviewloop/mastra';
import * as z from 'zod';
import { type AgentWish, callsTool, hang, reply, runCells } from './cells.js';

/** The storage of Mastra, kept in a file between processes. */
async function keptStore(folder: string): Promise<InMemoryStore> {
  const file = join(folder, 'mastra.bin');
  const store = new InMemoryStore({ id: 'kept' });
  await store.init();
  const { db } = Object(store.stores.workflows);
  if (existsSync(file)) db.workflows = deserialize(readFileSync(file));
  process.on('exit', () => writeFileSync(file, serialize(db.workflows)));
  return store;
}

function streamOf(parts: readonly unknown[]): ReadableStream {
  return new ReadableStream({
    start: (controller) => {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
}

function modelOf(wish: AgentWish) {
  const { counts, hangs } = wish;
  const answer = async ({
    prompt,
    abortSignal,
  }: {
    prompt: unknown;
    abortSignal?: AbortSignal;
  }) => {
    counts.model += 1;
    if (hangs) return hang(abortSignal, counts);
    const text = JSON.stringify(prompt);
    const calls = callsTool(wish, text, 'tool-result');
    const content = calls
      ? { type: 'tool-call', toolCallId: 'call-1', toolName: 'publish', input: '{"price":4}' }
      : { type: 'text', text: reply(text) };
    return {
      content: [content],
      finishReason: { unified: calls ? 'tool-calls' : 'stop', raw: undefined },
      usage: {
        inputTokens: { total: 10, noCache: 6, cacheRead: 4, cacheWrite: undefined },
        outputTokens: { total: 5, text: 3, reasoning: 2 },
      },
      warnings: [],
    };
  };
  return new MockLanguageModelV3({
    doGenerate: answer as never,
    // Mastra streams even where it only generates
    doStream: (async (given: never) => {
      const { content, finishReason, usage } = await answer(given);
      const [part] = content;
      const parts = [
        { type: 'stream-start', warnings: [] },
        ...(part?.type === 'text'
          ? [
              { type: 'text-start', id: '1' },
              { type: 'text-delta', id: '1', delta: Object(part).text },
              { type: 'text-end', id: '1' },
            ]
          : [part]),
        { type: 'finish', finishReason, usage },
      ];
      return { stream: streamOf(parts) };
    }) as never,
  });
}

const store = await keptStore(process.argv[3] ?? '');

/** Lets Mastra make spans of OpenTelemetry. */
async function observed({ traced }: AgentWish): Promise<object> {
  if (!traced) return {};
  const { Observability } = await import('@mastra/observability' as string);
  const { OtelBridge } = await import('@mastra/otel-bridge' as string);
  const configs = { default: { serviceName: 'cells', bridge: new OtelBridge() } };
  return { observability: new Observability({ configs }) };
}

/** Places a call in the active span: Mastra places a resumed call in its first trace. */
function withinSpan(): object {
  const { traceId, spanId } = trace.getActiveSpan()?.spanContext() ?? {};
  return traceId === undefined ? {} : { tracingOptions: { traceId, parentSpanId: spanId } };
}

await runCells(async (wish) => {
  const publish = createTool({
    id: 'publish',
    description: 'publishes a price',
    inputSchema: z.object({ price: z.number() }),
    requireApproval: true,
    execute: async () => {
      wish.counts.tool += 1;
      return { published: true };
    },
  });
  const agent = new Agent({
    id: 'writer',
    name: 'writer',
    instructions: 'You write.',
    model: modelOf(wish),
    tools: { publish },
  });
  const mastra = new Mastra({
    agents: { writer: agent },
    storage: store,
    logger: false,
    ...(await observed(wish)),
  });
  const made = mastra.getAgent('writer');
  const judge = (text: string) => made.generate(`no title ${text}`);
  return { ...mastraProducer(made, { generate: withinSpan }), judge };
});
