/**
 * Graphs of LangGraph: a graph as the producer of a pipeline, and a pipeline as a node of a graph.
 * `@langchain/langgraph` and `@langchain/core` are optional peers.
 *
 * @module
 */
export type { AgentMaker } from '../shared/agent-maker.js';
export { type GraphProducerOptions, graphProducer } from './graph-producer.js';
export type { GraphLike } from './graph-state.js';
export { type NodeConfig, type ReviewNodeOptions, reviewNode } from './review-node.js';
