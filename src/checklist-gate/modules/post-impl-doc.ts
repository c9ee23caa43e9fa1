import { artifactsOf } from '../../core/artifact.js';
import type { AgentOutput } from '../../self-review/agent.js';
import type { ChecklistModule } from '../checklist-module.js';
import { findPlan } from '../find-plan.js';
import { deliveredFiles, milestonesOf } from './plan-view.js';
import { docPath } from './post-impl-code.js';
import { docFile } from './text-rules.js';

/** The documents that a plan names, and those that are there. */
function documentsOf(work: AgentOutput): string[] {
  const found = findPlan(work);
  const named = [
    ...deliveredFiles(found).filter((path) => docPath.test(path)),
    ...milestonesOf(found)
      .flatMap(({ docs }) => docs)
      .flatMap((text) =>
        Array.from(
          text.matchAll(
            /(?<![\w/])([\w@.-]+(?:\/[\w@.-]+)*\.(?:md|markdown|mdx|rst|adoc|txt))(?!\w)/gi,
          ),
          ([, path = '']) => path,
        ),
      ),
  ];
  const there = artifactsOf(work).flatMap(({ path }) =>
    docPath.test(path) && path !== found?.path ? [path] : [],
  );
  return [...new Set([...named, ...there])];
}

/** Seed 001's post_impl_doc: the documentation after the implementation, whether it is accurate and complete. */
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
          'Is everything that was implemented and that users see documented, and does the documentation promise nothing that is not there?',
        severity: 'MUST',
      },
      ...documentsOf(work).flatMap((path) => [
        {
          scope: `file:${path}`,
          check: `${path} is there, is whole, and has no merge conflicts.`,
          severity: 'MUST' as const,
          rule: 'doc-file',
        },
        {
          scope: `file:${path}`,
          check: `Is every statement of ${path} clear, and consistent with the others?`,
          severity: 'SHOULD' as const,
        },
      ]),
    ],
  };
}
