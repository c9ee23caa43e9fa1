/**
 * Agents of the Vercel AI SDK, version 6 and 7: an agent as the producer of a pipeline, reviews in a
 * stream of UI messages, and a review as a tool. This module does not import the AI SDK.
 *
 * @module
 */
export type {
  AgentMaker,
  AgentMakerOptions,
} from '../shared/agent-maker.js';
export type { GapSummary, ReviewSummary } from '../shared/review-summary.js';
export type { AiSdkUsage, TokenCount } from '../shared/usage-of.js';
export type { ApproveTool, ToolCall } from '../shared/waiting.js';
export {
  type AgentProducerOptions,
  type AiSdkAgent,
  type AiSdkCall,
  type AiSdkResult,
  agentProducer,
} from './agent-producer.js';
export { type ReviewTool, type ReviewToolOptions, reviewTool } from './review-tool.js';
export { reviewUIStream, type UIStreamWriter } from './review-ui-stream.js';
