import type { AgentOutput, AgentRequest } from '../../self-review/agent.js';
import type { Reviewer } from '../../core/reviewer.js';

/** A judge of files. */
export type FileReviewer = Reviewer<AgentRequest, AgentOutput>;
