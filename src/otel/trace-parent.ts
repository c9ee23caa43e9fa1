import type { SpanContext } from '@opentelemetry/api';

/** Returns a span as the header `traceparent` of W3C Trace Context. */
export function traceParent({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

/** Returns the span that a header `traceparent` names; undefined if it names none. */
export function parseTraceParent(header: string | undefined): SpanContext | undefined {
  const found = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(header ?? '');
  const [, traceId = '', spanId = '', flags = ''] = found ?? [];
  if (/^0*$/.test(traceId) || /^0*$/.test(spanId)) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
}
