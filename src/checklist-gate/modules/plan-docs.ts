import type { AgentOutput } from '../../self-review/agent.js';
import type { ChecklistModule, ChecklistRule } from '../checklist-module.js';
import { milestoneIn, milestoneView, perMilestone } from './plan-view.js';
import { noPlaceholders } from './text-rules.js';

const documented: ChecklistRule<AgentOutput> = {
  id: 'milestone-docs',
  version: '1',
  view: milestoneView,
  check: (view) => {
    const { id, docs } = milestoneIn(view);
    return (
      docs.some((text) => text.trim() !== '') || {
        finding: `milestone ${id} does not say what of the documentation it changes`,
        fix: `List the documents that milestone ${id} writes or changes under "Docs", or write that there are none, and why.`,
      }
    );
  },
};

/** Seed 001's plan_docs: whether the documentation of a plan is complete, clear, and fits what is to be implemented. */
export function planDocs(): ChecklistModule<AgentOutput> {
  return {
    name: 'plan_docs',
    phase: 'plan-docs',
    aspect: 'documentation completeness, clarity, and alignment with implementation',
    rules: [documented, noPlaceholders],
    decompose: (work) => [
      {
        scope: '*',
        check:
          'Is everything that users or maintainers will have to know after this plan covered by a document that it writes or changes?',
        severity: 'SHOULD',
      },
      ...perMilestone(work, ({ id }, scope) => [
        {
          scope,
          check: `Milestone ${id} says what of the documentation it changes.`,
          severity: 'MUST',
          rule: 'milestone-docs',
        },
        {
          scope,
          check: `Nothing in milestone ${id} is left to be filled in.`,
          severity: 'SHOULD',
          rule: 'no-placeholders',
        },
        {
          scope,
          check: `Is what milestone ${id} says of the documentation clear to somebody who does not know the discussion?`,
          severity: 'MAY',
        },
        {
          scope,
          check: `Does the documentation of milestone ${id} say the same as its code intents and diffs?`,
          severity: 'MUST',
        },
      ]),
    ],
  };
}
