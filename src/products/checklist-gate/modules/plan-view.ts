import { type Artifact, artifactsOf } from '../../../core/artifact.js';
import type { AgentOutput } from '../../self-review/agent.js';
import type { ChecklistDraft } from '../checklist.js';
import { removedBy } from '../plan/diff-changes.js';
import {
  type FoundPlan,
  findPlan,
  type Milestone,
  type PlanDocument,
  PlanDocumentSchema,
} from '../plan/read-plan.js';

export function planIn(view: unknown): PlanDocument | undefined {
  return PlanDocumentSchema.safeParse(
    typeof view === 'object' && view !== null && 'plan' in view ? view.plan : undefined,
  ).data;
}

export function planView(
  work: AgentOutput,
): { readonly plan: PlanDocument } | { readonly missing: string } {
  const found = findPlan(work);
  return found === undefined ? { missing: 'no plan was found' } : { plan: found.plan };
}

/** Leaves out its lines: a moved milestone counts as unchanged. */
export function milestoneView(
  work: AgentOutput,
  scope: string,
): { readonly milestone: Milestone } | { readonly missing: string } {
  const milestone = milestonesOf(findPlan(work)).find(({ id }) => scope === scopeOf(id));
  if (milestone === undefined)
    return { missing: `${scope.replace(':', ' ')} is missing from the plan` };
  const { line: _line, endLine: _endLine, diffs, ...rest } = milestone;
  return { milestone: { ...rest, diffs: diffs.map(({ text }) => ({ text })) } };
}

export function milestoneIn(view: unknown): Milestone {
  return (view as { readonly milestone: Milestone }).milestone;
}

export function scopeOf(id: string): string {
  return `milestone:${id}`;
}

export function milestonesOf(found: FoundPlan | undefined): readonly Milestone[] {
  return found?.plan.milestones ?? [];
}

export function deliveredFiles(found: FoundPlan | undefined): string[] {
  const milestones = milestonesOf(found);
  const gone = removedBy(milestones.flatMap(({ diffs }) => diffs.map(({ text }) => text)));
  return [...new Set(milestones.flatMap(({ files }) => files))].filter((path) => !gone.has(path));
}

/** Milestones with the same id share them. */
export function perMilestone(
  work: AgentOutput,
  draftsOf: (milestone: Milestone, scope: string) => readonly ChecklistDraft[],
): ChecklistDraft[] {
  const milestones = milestonesOf(findPlan(work));
  return milestones
    .filter(({ id }, index) => milestones.findIndex((other) => other.id === id) === index)
    .flatMap((milestone) => draftsOf(milestone, scopeOf(milestone.id)));
}

export function fileView(
  work: AgentOutput,
  scope: string,
): { readonly artifacts: readonly Artifact[] } | { readonly missing: string } {
  const path = scope.replace(/^file:/, '');
  const artifact = artifactsOf(work).find((candidate) => candidate.path === path);
  return artifact?.content === undefined
    ? { missing: `${path} does not exist, or the given paths leave it out` }
    : { artifacts: [artifact] };
}
