/**
 * Agents of the OpenAI Agents SDK: an agent as the producer of a pipeline, and a review as an output
 * guardrail that lets the agent revise. This module does not import the SDK.
 *
 * @module
 */

export type { AgentMaker } from '../shared/agent-maker.js';
export type { ReviewSummary } from '../shared/review-parts.js';
export { agentsProducer } from './agents-producer.js';
export { type ReviewGuardrail, reviewGuardrail, runRevised } from './run-revised.js';
