/**
 * Graphs of LangGraph: a graph as the producer of a pipeline, and a pipeline as a node of a graph.
 * `@langchain/langgraph` and `@langchain/core` are optional peers.
 *
 * @module
 */

export type { AgentMaker } from '../shared/agent-maker.js';
export { graphProducer } from './graph-producer.js';
export { type NodeConfig, reviewNode } from './review-node.js';
