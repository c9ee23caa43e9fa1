import { ReviewLoopError } from '../core/errors.js';

/** The API of OpenTelemetry, an optional peer. */
export const { context, SpanKind, SpanStatusCode, trace } = await import(
  '@opentelemetry/api'
).catch((cause: unknown) => {
  throw new ReviewLoopError(
    'peer_missing',
    'reviewloop/otel needs the API of OpenTelemetry: npm install @opentelemetry/api',
    { cause },
  );
});
