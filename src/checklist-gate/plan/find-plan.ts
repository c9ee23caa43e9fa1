import { artifactsOf } from '../../core/artifact.js';
import type { AgentOutput } from '../../self-review/agent.js';
import { type PlanDocument, PlanDocumentSchema } from './plan-document.js';
import { readPlan } from './read-plan.js';

/** A plan and the file that contains it. */
export interface FoundPlan {
  readonly path: string;
  readonly source: string;
  readonly plan: PlanDocument;
}

/**
 * Returns the plan among artifacts: one of type `plan`, a file named `plan.md` or `plan.json`, or
 * else the first Markdown file with milestones.
 */
export function findPlan(output: Pick<AgentOutput, 'artifacts'>): FoundPlan | undefined {
  const artifacts = artifactsOf(output).flatMap(({ path, type, content }) =>
    content === undefined ? [] : [{ path, type, content }],
  );
  const named = artifacts.filter(
    ({ path, type }) => type === 'plan' || /(?:^|[/._-])plan\.(?:md|markdown|json)$/i.test(path),
  );
  for (const { path, content } of named) {
    const plan = planIn(path, content);
    if (plan !== undefined) return { path, source: content, plan };
  }
  for (const { path, content } of artifacts) {
    if (!/\.(?:md|markdown)$/i.test(path)) continue;
    const plan = readPlan(content);
    if (plan.milestones.length > 0) return { path, source: content, plan };
  }
  return undefined;
}

function planIn(path: string, content: string): PlanDocument | undefined {
  if (!/\.json$/i.test(path)) return readPlan(content);
  try {
    return PlanDocumentSchema.safeParse(JSON.parse(content)).data;
  } catch {
    return undefined;
  }
}
