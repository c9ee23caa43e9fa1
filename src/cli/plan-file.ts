import type { AgentOutput } from '../kernel/agent.js';
import type { Artifact } from '../kernel/artifact.js';

/** A plan, and the file that it was read from. */
export interface FoundPlan {
  readonly path: string;
  readonly value: unknown;
}

/** The first artifact that is JSON with epics. */
export function planIn(artifacts: readonly Artifact[]): FoundPlan | undefined {
  for (const { path, content } of artifacts) {
    const value = path.endsWith('.json') && content !== undefined ? parsed(content) : undefined;
    if (typeof value === 'object' && value !== null && 'epics' in value && Array.isArray(value.epics)) return { path, value };
  }
  return undefined;
}

/** An output whose plan was changed, with its file changed likewise. */
export function withPlanFile(before: AgentOutput, after: AgentOutput): AgentOutput {
  const plan = planIn(before.artifacts);
  if (plan === undefined || JSON.stringify(after.result) === JSON.stringify(plan.value)) return after;
  const content = before.artifacts.find(({ path }) => path === plan.path)?.content;
  const artifacts = after.artifacts.map((artifact) => (artifact.path === plan.path && artifact.content === content ? { ...artifact, content: `${JSON.stringify(after.result, null, 2)}\n` } : artifact));
  return { ...after, artifacts };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
