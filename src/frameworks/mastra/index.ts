/**
 * Agents and workflows of Mastra: an agent as the producer of a pipeline, and a pipeline as a step of
 * a workflow. This module does not import Mastra.
 *
 * @module
 */
export type { AgentMaker, AgentMakerOptions } from '../shared/agent-maker.js';
export type { AiSdkUsage, TokenCount } from '../shared/usage-of.js';
export type { ApproveTool, ToolCall } from '../shared/waiting.js';
export type { MastraAgent, MastraResult } from './mastra-driver.js';
export { type MastraProducerOptions, mastraProducer } from './mastra-producer.js';
export {
  type MastraStepCall,
  type ReviewStep,
  type ReviewStepOptions,
  reviewStep,
  type StepWriter,
} from './review-step.js';
