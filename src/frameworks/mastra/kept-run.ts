import { membersOf } from '../shared/ending.js';

/**
 * Returns whether the storage of Mastra has the prompt of a paused agent. Mastra goes on without
 * one, with an agent that knows nothing but its instructions.
 */
export async function keepsPrompt(agent: object, runId: string, prompt: string): Promise<boolean> {
  const storage = await called(await called(agent, 'getMastraInstance'), 'getStorage');
  const workflows = await called(storage, 'getStore', 'workflows');
  const run = { workflowName: 'agentic-loop', runId };
  const kept = await called(workflows, 'loadWorkflowSnapshot', run);
  const text = typeof kept === 'string' ? kept : (JSON.stringify(kept) ?? '');
  return text.includes(JSON.stringify(prompt).slice(1, -1));
}

/** Calls a method of an object of Mastra, if it is there. */
async function called(object: unknown, name: string, ...given: unknown[]): Promise<unknown> {
  const method = membersOf(object)[name];
  return typeof method === 'function' ? Reflect.apply(method, object, given) : undefined;
}
