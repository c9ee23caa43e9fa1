/**
 * The Vercel AI SDK, version 6 and 7, which this module does not import: a provider from a language model,
 * an agent as the producer of a pipeline, reviews in a stream of UI messages, and a review as a tool.
 *
 * @module
 */

export { aiSdkProvider } from '../../providers/ai-sdk/ai-sdk-provider.js';
export type { AgentMaker, AgentMakerOptions } from '../shared/agent-maker.js';
export type { ReviewSummary } from '../shared/review-parts.js';
export type { AiSdkUsage } from '../shared/usage-of.js';
export { type AiSdkAgent, agentProducer } from './agent-producer.js';
export { type ReviewTool, reviewTool, reviewUIStream } from './review-tool.js';
