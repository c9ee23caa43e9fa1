/**
 * The gate of coding agents: the formats of their hooks, and when a stop is blocked. Node only.
 *
 * @module
 */

export {
  type AgentEvent,
  type AgentFormat,
  type AgentName,
  agentNames,
  type GateReply,
  type HookOutput,
} from './agent-event.js';
export type { ReasonOptions } from './agent-reason.js';
export { answerEvent } from './answer-event.js';
export {
  decideStop,
  type GateLimits,
  type ReviewedVersion,
  type StopAnswer,
} from './decide-stop.js';
export { type GateVerdict, noVerdict } from './gate-verdict.js';
export { formatOf, type ReadEvent, readEvent } from './read-event.js';
export type { SessionState, SessionTree } from './session-state.js';
export { type GateLogLine, SessionStore } from './session-store.js';
export type { GateOptions, SessionReview, SessionReviewResult } from './stop-step.js';
