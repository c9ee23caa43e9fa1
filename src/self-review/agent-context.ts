import type { AgentRequest } from './agent.js';
import type { Surroundings } from '../reviewers/criterion-context.js';

/** What criteria learn from a request of seed 004, where the task is one; of any other task, nothing. */
export function agentSurroundings(agentId: string): Surroundings<unknown> {
  return (task) => {
    if (!isAgentRequest(task)) return { agentId };
    const { items = [], previousOutputs = [], task: inner } = task.context;
    const item = (type: string): Record<string, unknown> | undefined => items.find((candidate) => candidate.type === type)?.content;
    return {
      agentId,
      taskId: inner.id,
      previousOutputs,
      projectConfig: item('project_config'),
      designTokens: item('design_tokens'),
      acceptanceCriteria: inner.acceptanceCriteria,
    };
  };
}

/** The id of a task: its own where it is a request of seed 004. */
export function taskIdOf(task: unknown): string {
  return isAgentRequest(task) ? task.context.task.id : 'task';
}

/** Whether a task is a request of seed 004. */
export function isAgentRequest(task: unknown): task is AgentRequest {
  if (typeof task !== 'object' || task === null || !('context' in task)) return false;
  const { context } = task;
  return typeof context === 'object' && context !== null && 'task' in context && typeof context.task === 'object' && context.task !== null;
}
