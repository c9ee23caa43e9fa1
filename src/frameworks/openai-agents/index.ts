/**
 * Agents of the OpenAI Agents SDK: an agent as the producer of a pipeline, and a review as an output
 * guardrail that lets the agent revise. This module does not import the SDK.
 *
 * @module
 */
export type { AgentMaker, AgentMakerOptions } from '../shared/agent-maker.js';
export type { GapSummary, ReviewSummary } from '../shared/review-summary.js';
export type { ApproveTool, ToolCall } from '../shared/waiting.js';
export { type AgentsProducerOptions, agentsProducer } from './agents-producer.js';
export type {
  AgentsParts,
  AgentsRunner,
  AgentsRunState,
  AgentsStreamEvent,
  ApprovalItem,
} from './agents-sdk.js';
export {
  type ReviewGuardrail,
  type ReviewGuardrailOptions,
  reviewGuardrail,
} from './review-guardrail.js';
export { type RunRevisedOptions, runRevised } from './run-revised.js';
export type { AgentsUsage } from './usage-since.js';
