import type { AgentOutput, AgentRequest } from '../../kernel/agent.js';
import type { Reviewer } from '../../kernel/reviewer.js';

/** A judge of files. */
export type FileReviewer = Reviewer<AgentRequest, AgentOutput>;
