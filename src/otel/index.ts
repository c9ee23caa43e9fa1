/**
 * Traces, events and metrics of runs for OpenTelemetry. `@opentelemetry/api` is an optional peer.
 *
 * @module
 */
export {
  type AgentsSpan,
  type AgentsTraceOptions,
  type AgentsTraceProcessor,
  agentsTraceProcessor,
} from './agents-trace-processor.js';
export type { EventLogger } from './evaluation-events.js';
export { type TraceOptions, traceRuns } from './trace-runs.js';
