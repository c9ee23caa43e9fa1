import { peerMissing } from '../core/load-peer.js';

/** The API of OpenTelemetry, an optional peer. */
export const { context, SpanKind, SpanStatusCode, trace } = await import(
  '@opentelemetry/api'
).catch((error: unknown) => {
  throw peerMissing({ feature: 'reviewloop/otel', packages: ['@opentelemetry/api'] }, error);
});
