import type {
  Attributes,
  Context,
  Counter,
  Histogram,
  Link,
  Meter,
  Span,
  SpanContext,
  Tracer,
} from '@opentelemetry/api';
import type { Assessment } from '../../core/assessment.js';
import { messageOf } from '../../core/errors.js';
import { checkKeys } from '../../core/options.js';
import { redactSecrets } from '../../core/redact/secrets.js';
import type {
  Around,
  ModelSpan,
  ReviewerSpan,
  RunSpan,
  Span as Work,
  SpanEnd as WorkEnd,
} from '../../core/span.js';
import type { ModelReply } from '../../core/step.js';
import { names } from './names.js';
import { context, ProxyTracerProvider, SpanKind, SpanStatusCode, trace } from './opentelemetry.js';
import { beginOf, endAttributes, known, pipelineOf } from './span-attributes.js';

const scope = 'reviewloop';

export interface TraceOptions {
  /** Makes the spans. @default the tracer `reviewloop` of the registered provider */
  readonly tracer?: Tracer | undefined;
  /**
   * Receives an event for each assessment, such as `logs.getLogger('reviewloop')`.
   *
   * @default undefined the events are part of the spans of the reviewers
   */
  readonly logger?: EventLogger | undefined;
  /** Receives the metrics. @default undefined no metrics */
  readonly meter?: Meter | undefined;
  /**
   * Whether prompts, answers and explanations are exported. Secrets in them are removed.
   *
   * @default false
   */
  readonly content?: boolean | undefined;
  /**
   * Whether a resumed run belongs to the trace of its first call. Otherwise it only has a link to it.
   *
   * @default false
   */
  readonly continueTrace?: boolean | undefined;
}

/**
 * Returns a hook `around` that traces runs with OpenTelemetry: a span for each run, produce, address,
 * review, reviewer, call of a model and wait for a person. Names follow the GenAI conventions.
 * Replayed work has no span.
 *
 * @throws ReviewLoopError `invalid_options`; importing the module throws `peer_missing`
 * @example
 * ```ts
 * const article = definePipeline({ ...options, around: traceRuns() });
 * ```
 */
export function traceRuns(options: TraceOptions = {}): Around {
  checkKeys('traceRuns', options, ['tracer', 'logger', 'meter', 'content', 'continueTrace']);
  const traces = new Traces(options);
  const around = (work: Work, next: () => Promise<WorkEnd>) => traces.around(work, next);
  return Object.assign(around, { isActive: () => isExported(options) });
}

/** Until anything receives spans, events or metrics, tracing costs nothing. */
function isExported({ tracer, logger, meter }: TraceOptions): boolean {
  if (tracer !== undefined || logger !== undefined || meter !== undefined) return true;
  const provider = trace.getTracerProvider();
  return !(
    provider instanceof ProxyTracerProvider && provider.getDelegateTracer(scope) === undefined
  );
}

interface RunTrace {
  maker: SpanContext | undefined;
  readonly makers: Map<string, SpanContext>;
}

class Traces {
  readonly #options: TraceOptions;
  readonly #tracer: Tracer;
  readonly #meter: RunMeter | undefined;
  readonly #runs = new WeakMap<Work, RunTrace>();

  constructor(options: TraceOptions) {
    this.#options = options;
    this.#tracer = options.tracer ?? trace.getTracer(scope);
    this.#meter = options.meter === undefined ? undefined : new RunMeter(options.meter);
  }

  async around(work: Work, next: () => Promise<WorkEnd>): Promise<void> {
    // whether something new happens in a replayed review is known at its end
    const isLate = work.kind === 'review' || work.kind === 'reviewer';
    if (work.replayed === true && isLate) return this.#late(work, next);
    const parent = this.#parentOf(work);
    const span = this.#start(work, parent);
    if (work.kind === 'run') this.#begin(work, span);
    this.#remember(work, span);
    await context.with(trace.setSpan(parent, span), () => this.#finish(work, span, next));
  }

  /** Starts a span only when the work turns out to be new. */
  async #late(work: Work, next: () => Promise<WorkEnd>): Promise<void> {
    const startTime = Date.now();
    const parent = context.active();
    const end = await next();
    if (end.replayed === true) return;
    const span = this.#start(work, parent, startTime);
    this.#remember(work, span);
    await this.#finish(work, span, async () => end);
  }

  #start(work: Work, parent: Context, startTime?: number): Span {
    const { name, attributes } = beginOf(work);
    const content = work.kind === 'model' && this.#options.content === true;
    return this.#tracer.startSpan(
      name,
      {
        kind: work.kind === 'model' ? SpanKind.CLIENT : SpanKind.INTERNAL,
        attributes: { ...attributes, ...(content && questionAttributes(work)) },
        links: this.#linksOf(work),
        ...(startTime !== undefined && { startTime }),
        ...(work.kind === 'wait' && { startTime: work.askedAt }),
      },
      parent,
    );
  }

  async #finish(work: Work, span: Span, next: () => Promise<WorkEnd>): Promise<void> {
    const endTime = work.kind === 'wait' ? work.answeredAt : undefined;
    try {
      const end = await next();
      span.setAttributes(endAttributes(end));
      this.#report(work, span, end);
    } catch (error) {
      span.setAttribute(names.errorType, errorType(error));
      span.setStatus({ code: SpanStatusCode.ERROR, ...this.#messageOf(error) });
      throw error;
    } finally {
      span.end(endTime);
    }
  }

  #report(work: Work, span: Span, end: WorkEnd): void {
    const { logger, content = false } = this.#options;
    if (end.kind === 'run') {
      const { status, code } = end.outcome;
      if (status === 'failed' || status === 'timed_out') {
        span.setAttribute(names.errorType, code);
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
      this.#meter?.run(work.name, end);
    }
    if (end.kind === 'model' && content) span.setAttributes(replyAttributes(end));
    if (end.kind !== 'reviewer' || work.kind !== 'reviewer' || end.replayed === true) return;
    const maker = this.#traceOf(work)?.makers.get(work.digest);
    const judged = maker === undefined ? trace.setSpan(context.active(), span) : undefined;
    emitEvaluations(work, end.assessments, {
      logger,
      span,
      content,
      context: judged ?? trace.setSpanContext(context.active(), maker ?? span.spanContext()),
    });
    if (!end.reused) this.#meter?.verdicts(work, end.assessments);
  }

  /** Carries the first trace of a run to its later calls. */
  #begin(work: RunSpan, span: Span): void {
    this.#runs.set(work, { maker: undefined, makers: new Map() });
    const { traceState } = span.spanContext();
    if (!work.resumed)
      work.carry({
        traceparent: traceParent(span.spanContext()),
        ...(traceState !== undefined && { tracestate: traceState.serialize() }),
      });
  }

  /** Remembers which work made a version, so that what judges it can name it. */
  #remember(work: Work, span: Span): void {
    const known = this.#traceOf(work);
    if (known === undefined) return;
    if (work.kind === 'produce' || work.kind === 'address') known.maker = span.spanContext();
    if (work.kind === 'review' && known.maker !== undefined && !known.makers.has(work.digest))
      known.makers.set(work.digest, known.maker);
  }

  #traceOf(work: Work): RunTrace | undefined {
    return this.#runs.get(work) ?? (work.parent && this.#traceOf(work.parent));
  }

  #parentOf(work: Work): Context {
    const active = context.active();
    if (work.kind !== 'run' || this.#options.continueTrace !== true) return active;
    const first = firstTrace(work);
    return first === undefined ? active : trace.setSpanContext(active, first);
  }

  #linksOf(work: Work): Link[] {
    if (work.kind !== 'run' || this.#options.continueTrace === true) return [];
    const first = firstTrace(work);
    return first === undefined ? [] : [{ context: first }];
  }

  /** The message of an error may contain texts of the task. */
  #messageOf(error: unknown): { readonly message?: string } {
    return this.#options.content === true ? { message: messageOf(error) } : {};
  }
}

function firstTrace({ carried }: RunSpan): SpanContext | undefined {
  return parseTraceParent(carried?.['traceparent']);
}

function errorType(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '_OTHER';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error instanceof Error ? error.name : '_OTHER';
}

/** Its attributes have few values, so that series stay few. */
class RunMeter {
  readonly #durations: Histogram;
  readonly #verdicts: Counter;

  constructor(meter: Meter) {
    this.#durations = meter.createHistogram(names.workflowDuration, {
      unit: 's',
      description: 'How long one call of a run took.',
    });
    this.#verdicts = meter.createCounter(names.verdicts, {
      unit: '{verdict}',
      description: 'Verdicts of reviewers, without those that were reused.',
    });
  }

  run(pipeline: string, { outcome, durationMs }: Extract<WorkEnd, { kind: 'run' }>): void {
    const { status, code } = outcome;
    const failed = status === 'failed' || status === 'timed_out';
    this.#durations.record(durationMs / 1000, {
      [names.workflow]: pipeline,
      [names.runStatus]: status,
      ...(failed && { [names.errorType]: code }),
    });
  }

  verdicts(work: ReviewerSpan, assessments: readonly Assessment[]): void {
    for (const { verdict } of assessments)
      this.#verdicts.add(1, { [names.workflow]: pipelineOf(work), [names.verdict]: verdict });
  }
}

/** As the conventions write messages; without secrets. */
function questionAttributes({ request }: ModelSpan): Attributes {
  if (request === undefined) return {};
  const { system, messages } = request;
  return known({
    [names.systemInstructions]: system === undefined ? undefined : written([textPart(system)]),
    [names.inputMessages]: written(
      messages.map(({ role, content }) => ({ role, parts: [textPart(content)] })),
    ),
  });
}

/** As the conventions write messages; without secrets. */
function replyAttributes({ text, finish }: ModelReply): Attributes {
  if (text === undefined) return {};
  const message = { role: 'assistant', parts: [textPart(text)], finish_reason: finish ?? 'stop' };
  return { [names.outputMessages]: written([message]) };
}

function textPart(content: string): object {
  return { type: 'text', content };
}

function written(value: unknown): string {
  return redactSecrets(JSON.stringify(value));
}

function traceParent({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

function parseTraceParent(header: string | undefined): SpanContext | undefined {
  const found = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(header ?? '');
  const [, traceId = '', spanId = '', flags = ''] = found ?? [];
  if (/^0*$/.test(traceId) || /^0*$/.test(spanId)) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
}

interface EventLogger {
  emit(record: {
    readonly eventName: string;
    readonly attributes: Attributes;
    readonly context: Context;
  }): void;
}

interface EvaluationTarget {
  readonly logger: EventLogger | undefined;
  readonly span: Span;
  readonly context: Context;
  readonly content: boolean;
}

/**
 * The parent of each event is the work that was judged. Without a logger, it becomes an event of
 * the span of the reviewer.
 */
function emitEvaluations(
  reviewer: ReviewerSpan,
  assessments: readonly Assessment[],
  { logger, span, context, content }: EvaluationTarget,
): void {
  for (const assessment of assessments) {
    const attributes = attributesOf(reviewer, assessment, content);
    if (logger === undefined) span.addEvent(names.evaluation, attributes);
    else logger.emit({ eventName: names.evaluation, attributes, context });
  }
}

function attributesOf(
  { name, version, runId, iteration, digest }: ReviewerSpan,
  assessment: Assessment,
  content: boolean,
): Attributes {
  const { criterion, verdict } = assessment;
  return known({
    [names.evaluationName]: criterion,
    [names.scoreLabel]: verdict,
    [names.scoreValue]: 'score' in assessment ? assessment.score : undefined,
    [names.explanation]: content ? explanationOf(assessment) : undefined,
    [names.errorType]: assessment.verdict === 'errored' ? assessment.error.code : undefined,
    [names.reviewer]: name,
    [names.reviewerVersion]: version,
    [names.runId]: runId,
    [names.iteration]: iteration,
    [names.version]: digest,
  });
}

function explanationOf(assessment: Assessment): string | undefined {
  const text =
    'explanation' in assessment
      ? assessment.explanation
      : 'reason' in assessment
        ? assessment.reason
        : undefined;
  return text === undefined || text === '' ? undefined : redactSecrets(text);
}
