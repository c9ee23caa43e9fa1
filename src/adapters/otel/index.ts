/**
 * Traces, events and metrics of runs for OpenTelemetry. `@opentelemetry/api` is an optional peer.
 *
 * @module
 */

export { type AgentsTraceProcessor, agentsTraceProcessor } from './agents-trace-processor.js';
export { traceRuns } from './trace-runs.js';
