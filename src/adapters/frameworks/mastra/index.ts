/**
 * Agents and workflows of Mastra: an agent as the producer of a pipeline, and a pipeline as a step of
 * a workflow. This module does not import Mastra.
 *
 * @module
 */

export type { AgentMaker } from '../shared/agent-maker.js';
export { type MastraAgent, mastraProducer } from './mastra-producer.js';
export { type ReviewStep, reviewStep } from './review-step.js';
