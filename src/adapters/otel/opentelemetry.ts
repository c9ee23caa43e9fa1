import { loadPeer, mayBeAbsent } from '../../core/load-peer.js';

export const { context, ProxyTracerProvider, SpanKind, SpanStatusCode, trace } = await loadPeer(
  { feature: 'reviewloop/otel', packages: ['@opentelemetry/api'] },
  () => import('@opentelemetry/api').catch(mayBeAbsent),
);
