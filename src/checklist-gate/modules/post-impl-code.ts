import type { AgentOutput } from '../../self-review/agent.js';
import type { ChecklistModule } from '../checklist-module.js';
import { findPlan } from '../find-plan.js';
import { deliveredFiles, perMilestone } from './plan-view.js';
import { codeFile } from './text-rules.js';

/** Files that documentation is in. */
export const docPath = /\.(?:md|markdown|mdx|rst|adoc|txt)$/i;

/** Seed 001's post_impl_code: the code as it was written, against what the plan says. */
export function postImplCode(): ChecklistModule<AgentOutput> {
  return {
    name: 'post_impl_code',
    phase: 'impl-code',
    aspect: 'implemented code against plan specifications',
    rules: [codeFile],
    decompose: (work) => {
      const files = deliveredFiles(findPlan(work)).filter((path) => !docPath.test(path));
      return [
        {
          scope: '*',
          check:
            'Does the code as a whole do what the plan says, and nothing that it does not say?',
          severity: 'MUST',
        },
        ...files.flatMap((path) => [
          {
            scope: `file:${path}`,
            check: `${path} is there, is whole, and has no merge conflicts.`,
            severity: 'MUST' as const,
            rule: 'code-file',
          },
          {
            scope: `file:${path}`,
            check: `Is ${path} free of mistakes in its logic, its edge cases and its handling of failures?`,
            severity: 'MUST' as const,
          },
        ]),
        ...perMilestone(work, ({ id }, scope) => [
          {
            scope,
            check: `Does the code do what the code intents of milestone ${id} say?`,
            severity: 'MUST',
          },
        ]),
      ];
    },
  };
}
