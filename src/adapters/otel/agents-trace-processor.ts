import type { Attributes, Span, Tracer } from '@opentelemetry/api';
import { checkKeys } from '../../core/options.js';
import { names } from './names.js';
import { context, SpanStatusCode, trace } from './opentelemetry.js';
import { known } from './span-attributes.js';

export interface AgentsSpan {
  readonly spanId: string;
  readonly parentId: string | null;
  readonly error: object | null;
  readonly spanData: { readonly type: string };
}

/** A trace processor of the OpenAI Agents SDK. */
export interface AgentsTraceProcessor {
  /** Called when a run of an agent begins. */
  readonly onTraceStart: () => Promise<void>;
  /** Called when it has ended. */
  readonly onTraceEnd: () => Promise<void>;
  /** Starts the span. */
  readonly onSpanStart: (span: AgentsSpan) => Promise<void>;
  /** Ends the span. */
  readonly onSpanEnd: (span: AgentsSpan) => Promise<void>;
  /** Does nothing: the SDK of OpenTelemetry exports. */
  readonly shutdown: () => Promise<void>;
  /** Does nothing, as `shutdown`. */
  readonly forceFlush: () => Promise<void>;
}

export interface AgentsTraceOptions {
  /** Makes the spans. @default the tracer `openai-agents` of the registered provider */
  readonly tracer?: Tracer | undefined;
}

/**
 * Returns a trace processor of the OpenAI Agents SDK that makes its spans in OpenTelemetry, inside of
 * the span that is active: that of the run of a pipeline, or any other. No content is exported.
 *
 * @throws ReviewLoopError `invalid_options`; importing the module throws `peer_missing`
 * @example
 * ```ts
 * addTraceProcessor(agentsTraceProcessor());
 * ```
 */
export function agentsTraceProcessor(options: AgentsTraceOptions = {}): AgentsTraceProcessor {
  checkKeys('agentsTraceProcessor', options, ['tracer']);
  const open = new Map<string, Span>();
  const nothing = async (): Promise<void> => {};
  return {
    onTraceStart: nothing,
    onTraceEnd: nothing,
    onSpanStart: async ({ spanId, parentId, spanData }) => {
      const { tracer = trace.getTracer('openai-agents') } = options;
      const parent = parentId === null ? undefined : open.get(parentId);
      const within = context.active();
      const { name, attributes } = beginOf(spanData);
      const placed = parent === undefined ? within : trace.setSpan(within, parent);
      open.set(spanId, tracer.startSpan(name, { attributes }, placed));
    },
    onSpanEnd: async ({ spanId, spanData, error }) => {
      const span = open.get(spanId);
      open.delete(spanId);
      span?.setAttributes(endAttributes(spanData));
      // the message of an error may contain the work
      if (error !== null) span?.setStatus({ code: SpanStatusCode.ERROR });
      span?.end();
    },
    shutdown: async () => {
      for (const span of open.values()) span.end();
      open.clear();
    },
    forceFlush: nothing,
  };
}

type SpanData = AgentsSpan['spanData'];

function beginOf(data: SpanData): { readonly name: string; readonly attributes: Attributes } {
  const name = textOf(data, 'name');
  switch (data.type) {
    case 'agent':
      return begun('invoke_agent', name, names.agent);
    case 'function':
      return begun('execute_tool', name, names.tool);
    case 'generation':
    case 'response':
      return begun('chat', textOf(data, 'model'), names.requestModel);
    default:
      return {
        name: [data.type, name].filter((word) => word !== undefined).join(' '),
        attributes: {},
      };
  }
}

function begun(
  operation: string,
  name: string | undefined,
  nameOf: string,
): ReturnType<typeof beginOf> {
  return {
    name: name === undefined ? operation : `${operation} ${name}`,
    attributes: known({ [names.operation]: operation, [nameOf]: name }),
  };
}

function endAttributes(data: SpanData): Attributes {
  if (data.type !== 'generation' && data.type !== 'response') return {};
  const used = { ...objectAt(objectAt(data, '_response'), 'usage'), ...objectAt(data, 'usage') };
  return known({
    [names.inputTokens]: countOf(used, 'input_tokens'),
    [names.outputTokens]: countOf(used, 'output_tokens'),
  });
}

function textOf(data: object, name: string): string | undefined {
  const value: unknown = Reflect.get(data, name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function countOf(data: object, name: string): number | undefined {
  const value: unknown = Reflect.get(data, name);
  return Number.isInteger(value) ? Number(value) : undefined;
}

function objectAt(data: object, name: string): object {
  const value: unknown = Reflect.get(data, name);
  return typeof value === 'object' && value !== null ? value : {};
}
