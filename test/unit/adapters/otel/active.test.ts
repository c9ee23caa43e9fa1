import { metrics, trace } from '@opentelemetry/api';
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import { afterEach, describe, expect, it } from 'vitest';
import { traceRuns } from '@/adapters/otel/trace-runs.js';
import { definePipeline } from '@/blocks/pipeline/define-pipeline.js';

afterEach(() => trace.disable());

const article = {
  produce: () => 'tea',
  criteria: { 'has-text': (text: string) => text !== '' },
};

describe('traceRuns without an SDK', () => {
  it('is left out of runs until a provider is registered', async () => {
    const around = traceRuns();
    const pipeline = definePipeline<string, string>({ ...article, around });
    expect(around.isActive?.()).toBe(false);
    await pipeline.run('before');
    const exporter = new InMemorySpanExporter();
    const processor = new SimpleSpanProcessor(exporter);
    trace.setGlobalTracerProvider(new NodeTracerProvider({ spanProcessors: [processor] }));
    expect(around.isActive?.()).toBe(true);
    await pipeline.run('after');
    expect(
      exporter.getFinishedSpans().filter(({ name }) => name.startsWith('invoke_workflow')),
    ).toHaveLength(1);
  });

  it('is called where a tracer, a logger or a meter is given', () => {
    const logger = { emit: () => {} };
    expect(traceRuns({ tracer: trace.getTracer('own') }).isActive?.()).toBe(true);
    expect(traceRuns({ logger }).isActive?.()).toBe(true);
    expect(traceRuns({ meter: metrics.getMeter('own') }).isActive?.()).toBe(true);
  });
});
