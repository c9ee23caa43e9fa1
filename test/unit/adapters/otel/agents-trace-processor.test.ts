import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import { beforeEach, describe, expect, it } from 'vitest';
import { agentsTraceProcessor } from '@/adapters/otel/agents-trace-processor.js';
import { genAiRegistry } from './genai-registry.js';

const spans = new InMemorySpanExporter();
const tracer = new NodeTracerProvider({
  spanProcessors: [new SimpleSpanProcessor(spans)],
}).getTracer('test');

beforeEach(() => spans.reset());

function span(
  spanId: string,
  spanData: { readonly type: string; readonly [member: string]: unknown },
  parentId: string | null = null,
) {
  return { spanId, parentId, error: null, spanData };
}

describe('agentsTraceProcessor', () => {
  it('makes a span of each span of the SDK, named by the conventions', async () => {
    const processor = agentsTraceProcessor({ tracer });
    const agent = span('1', { type: 'agent', name: 'writer' });
    const tool = span('2', { type: 'function', name: 'publish', input: 'secret' }, '1');
    const model = span('3', { type: 'generation', model: 'm' }, '1');
    for (const each of [agent, tool, model]) await processor.onSpanStart(each);
    Object.assign(model.spanData, { usage: { input_tokens: 10, output_tokens: 5 } });
    for (const each of [model, tool, agent]) await processor.onSpanEnd(each);
    const made = spans.getFinishedSpans();
    const root = made.at(-1)?.spanContext().spanId;
    expect(
      made.map(({ name, attributes, parentSpanContext }) => [
        name,
        attributes,
        parentSpanContext?.spanId === root,
      ]),
    ).toEqual([
      [
        'chat m',
        {
          'gen_ai.operation.name': 'chat',
          'gen_ai.request.model': 'm',
          'gen_ai.usage.input_tokens': 10,
          'gen_ai.usage.output_tokens': 5,
        },
        true,
      ],
      [
        'execute_tool publish',
        { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'publish' },
        true,
      ],
      [
        'invoke_agent writer',
        { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'writer' },
        false,
      ],
    ]);
    for (const { attributes } of made)
      for (const name of Object.keys(attributes)) expect(genAiRegistry[name], name).toBeDefined();
  });

  it('marks a failed span, without the message of its error', async () => {
    const processor = agentsTraceProcessor({ tracer });
    const failed = {
      ...span('1', { type: 'response', _response: { usage: { input_tokens: 3 } } }),
      error: { message: 'the secret' },
    };
    await processor.onSpanStart(failed);
    await processor.onSpanEnd(failed);
    const [made] = spans.getFinishedSpans();
    expect(made?.status).toEqual({ code: 2 });
    expect(made?.attributes).toMatchObject({ 'gen_ai.usage.input_tokens': 3 });
    expect(JSON.stringify([made?.attributes, made?.events, made?.status])).not.toContain('secret');
  });

  it('ends what is open at shutdown, and ignores a span that it does not know', async () => {
    const processor = agentsTraceProcessor({ tracer });
    await processor.onTraceStart();
    await processor.onSpanStart(span('1', { type: 'guardrail', name: 'tone' }));
    await processor.onSpanEnd(span('2', { type: 'turn' }));
    await processor.onTraceEnd();
    await processor.forceFlush();
    await processor.shutdown();
    expect(spans.getFinishedSpans().map(({ name }) => name)).toEqual(['guardrail tone']);
  });

  it('refuses options that it does not know', () => {
    expect(() => agentsTraceProcessor({ trace: tracer } as never)).toThrow(/trace/);
  });
});
