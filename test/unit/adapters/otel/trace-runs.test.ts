import { context, type Span, SpanStatusCode, trace } from '@opentelemetry/api';
import {
  InMemoryLogRecordExporter,
  LoggerProvider,
  SimpleLogRecordProcessor,
} from '@opentelemetry/sdk-logs';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { names } from '@/adapters/otel/names.js';
import { type TraceOptions, traceRuns } from '@/adapters/otel/trace-runs.js';
import { fileStore } from '@/adapters/stores/file/index.js';
import { definePipeline } from '@/blocks/pipeline/define-pipeline.js';
import type { PipelineOptions } from '@/blocks/pipeline/pipeline-options.js';
import { llmCriterion } from '@/blocks/reviewers/llm-criterion.js';
import { memoryStore } from '@/ports/memory-store.js';
import { scriptedProvider } from '@/testing/index.js';
import { tempFolder } from '../../../support/temp-folder.js';
import { genAiRegistry } from './genai-registry.js';

const spans = new InMemorySpanExporter();
const events = new InMemoryLogRecordExporter();
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] });
const loggers = new LoggerProvider({
  processors: [new SimpleLogRecordProcessor({ exporter: events })],
});

beforeAll(() => {
  provider.register();
});
afterAll(() => {
  context.disable();
  trace.disable();
});
beforeEach(() => {
  spans.reset();
  events.reset();
});

const secret = 'the secret recipe of oolong';

function pipelineOf(options: TraceOptions = {}) {
  const inner: Span[] = [];
  const pipeline = definePipeline<string, string>({
    name: 'article',
    produce: async () => {
      // a framework's own span
      provider.getTracer('framework').startActiveSpan('generate', (span) => {
        inner.push(span);
        span.end();
      });
      return 'tea';
    },
    address: async (text) => `# ${text}`,
    criteria: { 'has-title': (text) => text.startsWith('# ') || 'no title' },
    around: traceRuns({
      tracer: provider.getTracer('reviewloop'),
      logger: loggers.getLogger('reviewloop'),
      ...options,
    }),
    store: memoryStore(),
  });
  return pipeline;
}

/** Returns the spans as a tree of names, children in the order of their start. */
function treeOf(all: readonly ReadableSpan[], parent?: string): unknown[] {
  return all
    .filter((span) => span.parentSpanContext?.spanId === parent)
    .sort((a, b) => a.startTime[0] - b.startTime[0] || a.startTime[1] - b.startTime[1])
    .map((span) => {
      const children = treeOf(all, span.spanContext().spanId);
      return children.length === 0 ? span.name : [span.name, ...children];
    });
}

function named(name: string): ReadableSpan {
  const found = spans.getFinishedSpans().find((span) => span.name === name);
  if (found === undefined) throw new Error(`no span ${name}`);
  return found;
}

/** A pipeline that asks a person about its tea. */
const gate = (more: Partial<PipelineOptions<string, string>> = {}) =>
  definePipeline<string, string>({
    name: 'gate',
    produce: async () => 'tea',
    criteria: { long: (text) => text.length > 2 },
    human: { policy: 'require' },
    around: traceRuns({ tracer: provider.getTracer('reviewloop') }),
    ...more,
  });

describe('traceRuns', () => {
  it('gives a run its spans, and what a framework traces lies in them', async () => {
    const outcome = await pipelineOf().run(secret, { runId: 'run-1' });
    expect(outcome.status).toBe('approved');
    expect(treeOf(spans.getFinishedSpans())).toEqual([
      [
        'invoke_workflow article',
        ['invoke_agent article', 'generate'],
        ['review 1', 'evaluation has-title'],
        'invoke_agent article',
        ['review 2', 'evaluation has-title'],
      ],
    ]);
    expect(named('invoke_workflow article').attributes).toEqual({
      'gen_ai.operation.name': 'invoke_workflow',
      'gen_ai.workflow.name': 'article',
      'reviewloop.run.id': 'run-1',
      'reviewloop.run.status': 'approved',
      'reviewloop.run.code': outcome.code,
    });
  });

  it('emits the standard event for each assessment, under the work that was judged', async () => {
    await pipelineOf().run(secret);
    const works = spans.getFinishedSpans().filter(({ name }) => name.startsWith('invoke_agent'));
    const emitted = events.getFinishedLogRecords();
    expect(
      emitted.map(({ eventName, attributes, spanContext }) => [
        eventName,
        attributes['gen_ai.evaluation.name'],
        attributes['gen_ai.evaluation.score.label'],
        attributes['gen_ai.evaluation.score.value'],
        works.findIndex((work) => work.spanContext().spanId === spanContext?.spanId),
      ]),
    ).toEqual([
      ['gen_ai.evaluation.result', 'has-title', 'fail', 0, 0],
      ['gen_ai.evaluation.result', 'has-title', 'pass', 1, 1],
    ]);
    expect(emitted[0]?.attributes).toHaveProperty([names.reviewerVersion]);
  });

  it('makes the events part of the span of the reviewer without a logger', async () => {
    await pipelineOf({ logger: undefined }).run(secret);
    const found = named('evaluation has-title').events;
    expect(found.map(({ name }) => name)).toEqual(['gen_ai.evaluation.result']);
    expect(found[0]?.attributes).toMatchObject({ 'gen_ai.evaluation.score.label': 'fail' });
  });

  it('links a resumed run to its first trace, and gives replayed work no span', async () => {
    const pipeline = gate();
    const asked = await pipeline.run('task', { runId: 'run-2' });
    if (asked.status !== 'suspended') throw new Error(asked.status);
    const first = named('invoke_workflow gate');
    spans.reset();
    await pipeline.answer(asked.requests[0], { kind: 'approve', by: 'ann' });
    const again = named('invoke_workflow gate');
    expect(again.links.map((link) => link.context.traceId)).toEqual([first.spanContext().traceId]);
    expect(again.spanContext().traceId).not.toBe(first.spanContext().traceId);
    expect(again.attributes).toMatchObject({ 'reviewloop.run.resumed': true });
    const rest = spans.getFinishedSpans().map(({ name }) => name);
    expect(rest.filter((name) => name.startsWith('invoke_agent'))).toEqual([]);
    expect(rest.some((name) => name.startsWith('wait'))).toBe(true);
  });

  it('links over processes: the store keeps the first trace', async () => {
    const folder = tempFolder('reviewloop-otel');
    // nothing but the folder is shared
    const made = () => gate({ store: fileStore(folder) });
    const asked = await made().run('task', { runId: 'run-4' });
    if (asked.status !== 'suspended') throw new Error(asked.status);
    const first = named('invoke_workflow gate').spanContext();
    spans.reset();
    await made().answer(asked.requests[0], { kind: 'approve', by: 'ann' });
    const [link] = named('invoke_workflow gate').links;
    expect(link?.context).toMatchObject({ traceId: first.traceId, spanId: first.spanId });
  });

  it('continues the first trace where it is told to', async () => {
    const tracer = provider.getTracer('reviewloop');
    const pipeline = gate({ around: traceRuns({ tracer, continueTrace: true }) });
    const asked = await pipeline.run('task', { runId: 'run-3' });
    if (asked.status !== 'suspended') throw new Error(asked.status);
    await pipeline.answer(asked.requests[0], { kind: 'approve', by: 'ann' });
    const traces = spans.getFinishedSpans().map((span) => span.spanContext().traceId);
    expect(new Set(traces).size).toBe(1);
  });

  it('exports no text of the task, the output or a person by default', async () => {
    const judge = scriptedProvider(() => JSON.stringify({ answer: secret }), { id: 'anthropic' });
    const options = { content: false };
    const exported = async (content: boolean) => {
      spans.reset();
      events.reset();
      await definePipeline<string, string>({
        produce: async () => secret,
        criteria: { short: () => secret },
        reviewers: [llmCriterion({ id: 'clear', question: secret, provider: judge })],
        failFast: false,
        around: traceRuns({
          tracer: provider.getTracer('reviewloop'),
          logger: loggers.getLogger('reviewloop'),
          ...options,
          content,
        }),
      }).run(secret);
      return JSON.stringify([
        spans
          .getFinishedSpans()
          .map(({ name, attributes, status, events: own }) => [name, attributes, status, own]),
        events.getFinishedLogRecords().map(({ attributes, body }) => [attributes, body]),
      ]);
    };
    expect(await exported(false)).not.toContain('oolong');
    const shown = await exported(true);
    expect(shown).toContain('oolong');
    expect(shown).toContain('gen_ai.input.messages');
  });

  it('uses only names and types of the conventions, and its own', async () => {
    const judge = scriptedProvider(() => JSON.stringify({ answer: 'yes' }));
    await definePipeline<string, string>({
      produce: async (_task, { reportUsage }) => {
        reportUsage({ inputTokens: 10, outputTokens: 5, cachedInputTokens: 4 });
        return 'tea';
      },
      reviewers: [llmCriterion({ id: 'clear', question: 'Is it clear?', provider: judge })],
      around: traceRuns({
        tracer: provider.getTracer('reviewloop'),
        logger: loggers.getLogger('reviewloop'),
        content: true,
      }),
    }).run('task');
    const all = [
      ...spans.getFinishedSpans().map(({ attributes }) => attributes),
      ...events.getFinishedLogRecords().map(({ attributes }) => attributes),
    ].flatMap((attributes) => Object.entries(attributes));
    expect(all.length).toBeGreaterThan(20);
    for (const [name, value] of all) {
      if (name.startsWith('reviewloop.') || name === 'error.type') continue;
      const type = genAiRegistry[name];
      expect(type, name).toBeDefined();
      if (Array.isArray(type)) expect(type, name).toContain(value);
      if (type === 'int') expect(Number.isInteger(value), name).toBe(true);
      if (type === 'double') expect(value, name).toBeTypeOf('number');
      if (type === 'string' || type === 'any') expect(value, name).toBeTypeOf('string');
      if (type === 'string[]') expect(Array.isArray(value), name).toBe(true);
    }
    expect(spans.getFinishedSpans().some(({ name }) => name.startsWith('chat'))).toBe(true);
  });

  it('marks a run that failed with its code', async () => {
    await definePipeline<string, string>({
      name: 'broken',
      produce: () => Promise.reject(new Error(secret)),
      criteria: { long: (text) => text.length > 2 },
      around: traceRuns({ tracer: provider.getTracer('reviewloop') }),
    }).run('task');
    const { status, attributes } = named('invoke_workflow broken');
    expect(status).toEqual({ code: SpanStatusCode.ERROR });
    expect(attributes).toMatchObject({ 'error.type': 'produce_failed' });
  });

  it('counts runs and verdicts in metrics with few series', async () => {
    const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
    const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 2 ** 30 });
    const meters = new MeterProvider({ readers: [reader] });
    await pipelineOf({ meter: meters.getMeter('reviewloop') }).run(secret);
    await meters.forceFlush();
    const found = exporter
      .getMetrics()
      .flatMap(({ scopeMetrics }) =>
        scopeMetrics.flatMap(({ metrics }) =>
          metrics.map(({ descriptor, dataPoints }) => [
            descriptor.name,
            descriptor.unit,
            dataPoints.map(({ attributes }) => attributes),
          ]),
        ),
      );
    expect(found).toEqual([
      [
        'gen_ai.workflow.duration',
        's',
        [{ 'gen_ai.workflow.name': 'article', 'reviewloop.run.status': 'approved' }],
      ],
      [
        'reviewloop.verdicts',
        '{verdict}',
        [
          { 'gen_ai.workflow.name': 'article', 'reviewloop.verdict': 'fail' },
          { 'gen_ai.workflow.name': 'article', 'reviewloop.verdict': 'pass' },
        ],
      ],
    ]);
    await meters.shutdown();
  });

  it('lies in the span of the caller', async () => {
    const tracer = provider.getTracer('server');
    await tracer.startActiveSpan('request', async (request) => {
      await pipelineOf().run(secret);
      request.end();
      expect(named('invoke_workflow article').parentSpanContext?.spanId).toBe(
        request.spanContext().spanId,
      );
    });
    expect(trace.getActiveSpan()).toBeUndefined();
  });

  it('refuses options that it does not know', () => {
    expect(() => traceRuns({ tracers: 1 } as never)).toThrow(/tracers/);
  });
});
