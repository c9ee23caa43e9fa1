import { artifactsOf } from '../../../core/artifact.js';
import type { ChecklistPhase } from '../../../ports/checklist/checklist-state.js';
import type { AgentOutput } from '../../self-review/agent.js';
import type { ChecklistModule, ChecklistRule } from '../checklist-module.js';
import { findPlan } from '../plan/read-plan.js';
import { type PlanCodeOptions, planCode } from './plan-code.js';
import { planCompleteness } from './plan-completeness.js';
import {
  deliveredFiles,
  milestoneIn,
  milestonesOf,
  milestoneView,
  perMilestone,
} from './plan-view.js';
import { reconciliation } from './reconciliation.js';
import { codeFile, docFile, noPlaceholders } from './text-rules.js';

/**
 * Returns the built-in modules of a phase: two for `impl-code`, one for each other phase.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const decompose = checklistModules('impl-code');
 * const gate = new ChecklistGate({ phase: 'impl-code', decompose, store: memoryChecklists() });
 * ```
 */
export function checklistModules(
  phase: ChecklistPhase,
  options: PlanCodeOptions = {},
): ChecklistModule<AgentOutput>[] {
  switch (phase) {
    case 'plan-structure':
      return [planCompleteness()];
    case 'plan-code':
      return [planCode(options)];
    case 'plan-docs':
      return [planDocs()];
    case 'impl-code':
      return [postImplCode(), reconciliation()];
    case 'impl-docs':
      return [postImplDoc()];
  }
}

const documented: ChecklistRule<AgentOutput> = {
  id: 'milestone-docs',
  version: '1',
  view: milestoneView,
  check: (view) => {
    const { id, docs } = milestoneIn(view);
    return (
      docs.some((text) => text.trim() !== '') || {
        finding: `milestone ${id} names no documents`,
        fix:
          `List the documents that milestone ${id} writes or changes under "Docs", or ` +
          'write there why it changes none.',
      }
    );
  },
};

/** Returns the module `plan_docs`: the planned documentation is complete, clear and consistent. */
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
          'Do the documents of this plan cover everything that users and maintainers must know after it?',
        severity: 'SHOULD',
      },
      ...perMilestone(work, ({ id }, scope) => [
        {
          scope,
          check: `Milestone ${id} names the documents that it changes.`,
          severity: 'MUST',
          rule: 'milestone-docs',
        },
        {
          scope,
          check: `Milestone ${id} contains no placeholders.`,
          severity: 'SHOULD',
          rule: 'no-placeholders',
        },
        {
          scope,
          check: `Is the documentation of milestone ${id} clear to a reader who does not know the discussion?`,
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

const documentPath = /\.(?:md|markdown|mdx|rst|adoc|txt)$/i;
const documentPathsInText =
  /(?<![\w@./-])([\w@.-]+(?:\/[\w@.-]+)*\.(?:md|markdown|mdx|rst|adoc|txt))(?!\w)/gi;

/** Returns the module `post_impl_code`: the written code does what the plan says. */
export function postImplCode(): ChecklistModule<AgentOutput> {
  return {
    name: 'post_impl_code',
    phase: 'impl-code',
    aspect: 'implemented code against plan specifications',
    rules: [codeFile],
    decompose: (work) => {
      const files = deliveredFiles(findPlan(work)).filter((path) => !documentPath.test(path));
      return [
        {
          scope: '*',
          check: 'Does the code as a whole do what the plan says, and nothing else?',
          severity: 'MUST',
        },
        ...files.flatMap((path) => [
          {
            scope: `file:${path}`,
            check: `${path} exists, is complete, and has no merge conflicts.`,
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

/** Returns the module `post_impl_doc`: the documentation is accurate and complete. */
export function postImplDoc(): ChecklistModule<AgentOutput> {
  return {
    name: 'post_impl_doc',
    phase: 'impl-docs',
    aspect: 'accuracy and completeness of documentation after implementation',
    rules: [docFile],
    decompose: (work) => [
      {
        scope: '*',
        check:
          'Is everything that users see documented, and does the documentation promise only what exists?',
        severity: 'MUST',
      },
      ...documentsOf(work).flatMap((path) => [
        {
          scope: `file:${path}`,
          check: `${path} exists, is complete, and has no merge conflicts.`,
          severity: 'MUST' as const,
          rule: 'doc-file',
        },
        {
          scope: `file:${path}`,
          check: `Is every statement of ${path} clear and consistent with the others?`,
          severity: 'SHOULD' as const,
        },
      ]),
    ],
  };
}

function documentsOf(work: AgentOutput): string[] {
  const found = findPlan(work);
  const named = [
    ...deliveredFiles(found).filter((path) => documentPath.test(path)),
    ...milestonesOf(found)
      .flatMap(({ docs }) => docs)
      .flatMap((text) => Array.from(text.matchAll(documentPathsInText), ([, path = '']) => path)),
  ];
  const existing = artifactsOf(work).flatMap(({ path }) =>
    documentPath.test(path) && path !== found?.path ? [path] : [],
  );
  return [...new Set([...named, ...existing])];
}
