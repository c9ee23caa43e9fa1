import type { Artifact } from '../../core/artifact.js';
import { jsonIn } from '../../core/json-or-text.js';
import type { AgentOutput } from '../../self-review/agent.js';

/** A plan, and the file that it was read from. */
export interface FoundPlan {
  readonly path: string;
  readonly value: unknown;
}

/** Returns the plan of an output: the first artifact that is JSON with epics. */
export function planIn(artifacts: readonly Artifact[]): FoundPlan | undefined {
  for (const { path, content } of artifacts) {
    const value = path.endsWith('.json') && content !== undefined ? jsonIn(content) : undefined;
    if (
      typeof value === 'object' &&
      value !== null &&
      'epics' in value &&
      Array.isArray(value.epics)
    )
      return { path, value };
  }
  return undefined;
}

/**
 * Returns an output whose `result` and plan file agree. If the file changed, it wins; otherwise the
 * result wins.
 */
export function withPlanFile(before: AgentOutput, after: AgentOutput): AgentOutput {
  const plan = planIn(before.artifacts);
  if (plan === undefined) return after;
  const contentIn = ({ artifacts }: AgentOutput): string | undefined =>
    artifacts.find(({ path }) => path === plan.path)?.content;
  const content = contentIn(after);
  if (content !== contentIn(before)) return { ...after, result: jsonIn(content ?? '') };
  if (JSON.stringify(after.result) === JSON.stringify(plan.value)) return after;
  const text = `${JSON.stringify(after.result, null, 2)}\n`;
  return {
    ...after,
    artifacts: after.artifacts.map((artifact) =>
      artifact.path === plan.path ? { ...artifact, content: text } : artifact,
    ),
  };
}
