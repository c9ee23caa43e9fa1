import { type Artifact, artifactsOf } from '../../../core/artifact.js';
import type { ChecklistSeverity } from '../../../ports/checklist/checklist-state.js';
import type { AgentOutput } from '../../self-review/agent.js';
import type { ChecklistDraft } from '../checklist.js';
import type { ChecklistRule, ItemAnswer } from '../checklist-module.js';
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
function milestoneView(
  work: AgentOutput,
  scope: string,
): { readonly milestone: Milestone } | { readonly missing: string } {
  const place = milestonePlace(work, scope);
  if ('missing' in place) return place;
  const { line: _line, endLine: _endLine, diffs, ...rest } = place.milestone;
  return { milestone: { ...rest, diffs: diffs.map(({ text }) => ({ text })) } };
}

export interface MilestonePlace {
  readonly milestone: Milestone;
  /** The milestones of the plan that come before and after it. */
  readonly before: readonly Milestone[];
  readonly after: readonly Milestone[];
}

export function milestonePlace(
  work: AgentOutput,
  scope: string,
): MilestonePlace | { readonly missing: string } {
  const milestones = milestonesOf(findPlan(work));
  const at = milestones.findIndex(({ id }) => scopeOf(id) === scope);
  const milestone = milestones[at];
  if (milestone === undefined)
    return { missing: `${scope.replace(':', ' ')} is missing from the plan` };
  return { milestone, before: milestones.slice(0, at), after: milestones.slice(at + 1) };
}

export function diffTexts(milestones: readonly Milestone[]): string[] {
  return milestones.flatMap(({ diffs }) => diffs.map(({ text }) => text));
}

export function milestoneRule(
  id: string,
  version: string,
  check: (milestone: Milestone) => ItemAnswer,
): ChecklistRule<AgentOutput> {
  const milestoneIn = (view: unknown) => (view as { readonly milestone: Milestone }).milestone;
  return { id, version, view: milestoneView, check: (view) => check(milestoneIn(view)) };
}

export function scopeOf(id: string): string {
  return `milestone:${id}`;
}

export function milestonesOf(found: FoundPlan | undefined): readonly Milestone[] {
  return found?.plan.milestones ?? [];
}

export function deliveredFiles(found: FoundPlan | undefined): string[] {
  const milestones = milestonesOf(found);
  const gone = removedBy(diffTexts(milestones));
  return [...new Set(milestones.flatMap(({ files }) => files))].filter((path) => !gone.has(path));
}

/** An item of a module, without its scope. */
export type DraftRow = readonly [severity: ChecklistSeverity, check: string, rule?: string];

export function draftsOf(scope: string, rows: readonly DraftRow[]): ChecklistDraft[] {
  return rows.map(([severity, check, rule]) => ({ scope, check, severity, rule }));
}

/** Milestones with the same id share them. */
export function perMilestone(
  work: AgentOutput,
  rowsOf: (milestone: Milestone) => readonly DraftRow[],
): ChecklistDraft[] {
  const milestones = milestonesOf(findPlan(work));
  return milestones
    .filter(({ id }, index) => milestones.findIndex((other) => other.id === id) === index)
    .flatMap((milestone) => draftsOf(scopeOf(milestone.id), rowsOf(milestone)));
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
