/**
 * Traces, events and metrics of runs for OpenTelemetry. `@opentelemetry/api` is an optional peer.
 *
 * @module
 */
export type { EventLogger } from './evaluation-events.js';
export { type TraceOptions, traceRuns } from './trace-runs.js';
