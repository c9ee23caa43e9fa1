import type { Reviewer } from '../../core/reviewer.js';
import type { AgentOutput, AgentRequest } from '../../self-review/agent.js';

/** A judge of files. */
export type FileReviewer = Reviewer<AgentRequest, AgentOutput>;
