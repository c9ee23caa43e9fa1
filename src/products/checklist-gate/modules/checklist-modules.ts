import { artifactsOf } from '../../../core/artifact.js';
import type { ChecklistPhase } from '../../../ports/checklist/checklist-state.js';
import type { AgentOutput } from '../../self-review/agent.js';
import type { ChecklistModule } from '../checklist-module.js';
import { findPlan } from '../plan/read-plan.js';
import { type PlanCodeOptions, planCode } from './plan-code.js';
import { planCompleteness } from './plan-completeness.js';
import {
  deliveredFiles,
  draftsOf,
  milestoneRule,
  milestonesOf,
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

const documented = milestoneRule('milestone-docs', '1', ({ id, docs }) => {
  const fix =
    `List the documents that milestone ${id} writes or changes under "Docs", or ` +
    'write there why it changes none.';
  const named = docs.some((text) => text.trim() !== '');
  return named || { finding: `milestone ${id} names no documents`, fix };
});

/** Returns the module `plan_docs`: the planned documentation is complete, clear and consistent. */
export function planDocs(): ChecklistModule<AgentOutput> {
  return {
    name: 'plan_docs',
    phase: 'plan-docs',
    aspect: 'documentation completeness, clarity, and alignment with implementation',
    rules: [documented, noPlaceholders],
    decompose: (work) => [
      ...draftsOf('*', [
        [
          'SHOULD',
          'Do the documents of this plan cover everything that users and maintainers must know after it?',
        ],
      ]),
      ...perMilestone(work, ({ id }) => [
        ['MUST', `Milestone ${id} names the documents that it changes.`, 'milestone-docs'],
        ['SHOULD', `Milestone ${id} contains no placeholders.`, 'no-placeholders'],
        [
          'MAY',
          `Is the documentation of milestone ${id} clear to a reader who does not know the discussion?`,
        ],
        [
          'MUST',
          `Does the documentation of milestone ${id} say the same as its code intents and diffs?`,
        ],
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
        ...draftsOf('*', [
          ['MUST', 'Does the code as a whole do what the plan says, and nothing else?'],
        ]),
        ...files.flatMap((path) =>
          draftsOf(`file:${path}`, [
            ['MUST', `${path} exists, is complete, and has no merge conflicts.`, 'code-file'],
            [
              'MUST',
              `Is ${path} free of mistakes in its logic, its edge cases and its handling of failures?`,
            ],
          ]),
        ),
        ...perMilestone(work, ({ id }) => [
          ['MUST', `Does the code do what the code intents of milestone ${id} say?`],
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
      ...draftsOf('*', [
        [
          'MUST',
          'Is everything that users see documented, and does the documentation promise only what exists?',
        ],
      ]),
      ...documentsOf(work).flatMap((path) =>
        draftsOf(`file:${path}`, [
          ['MUST', `${path} exists, is complete, and has no merge conflicts.`, 'doc-file'],
          ['SHOULD', `Is every statement of ${path} clear and consistent with the others?`],
        ]),
      ),
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
