import { artifactsOf } from '../../../core/artifact.js';
import { call, checkTable } from '../../../core/options.js';
import type { AgentOutput } from '../../self-review/agent.js';
import type { ChecklistModule, ChecklistRule } from '../checklist-module.js';
import { pathsOfDiff } from '../plan/diff-changes.js';
import { findPlan } from '../plan/read-plan.js';
import { milestoneIn, milestonesOf, milestoneView, perMilestone, scopeOf } from './plan-view.js';
import { noConflictMarkers } from './text-rules.js';

/**
 * Returns why diffs do not apply to files, `undefined` if they apply. An example is
 * `gitApplyCheck()` of `reviewloop/node`.
 */
export type ApplyCheck = (
  given: {
    readonly files: Readonly<Record<string, string>>;
    readonly before: readonly string[];
    readonly diffs: readonly string[];
  },
  call: { readonly signal: AbortSignal },
) => Promise<string | undefined>;

export interface PlanCodeOptions {
  /** Applies the diffs of a plan to copies. @default none: items about diffs stay TODO */
  readonly applyCheck?: ApplyCheck | undefined;
}

interface DiffView {
  readonly files: Readonly<Record<string, string>>;
  readonly before: readonly string[];
  readonly diffs: readonly string[];
}

function diffView(work: AgentOutput, scope: string): DiffView | { readonly missing: string } {
  const milestones = milestonesOf(findPlan(work));
  const at = milestones.findIndex(({ id }) => scopeOf(id) === scope);
  if (at === -1) return { missing: `${scope.replace(':', ' ')} is missing from the plan` };
  const [before, diffs] = [milestones.slice(0, at), milestones.slice(at, at + 1)].map((part) =>
    part.flatMap((milestone) => milestone.diffs.map(({ text }) => text)),
  ) as [string[], string[]];
  const touched = new Set([...before, ...diffs].flatMap(pathsOfDiff));
  const files = Object.fromEntries(
    artifactsOf(work).flatMap(({ path, content }) =>
      touched.has(path) && content !== undefined ? [[path, content]] : [],
    ),
  );
  return { files, before, diffs };
}

function diffApplies(applyCheck: ApplyCheck | undefined): ChecklistRule<AgentOutput> {
  return {
    id: 'diff-applies',
    version: '1',
    view: diffView,
    check: async (view, _item, { signal }) => {
      if (applyCheck === undefined)
        return {
          skipped: 'planCode needs `applyCheck`, for example `gitApplyCheck()` of reviewloop/node',
        };
      const problem = await applyCheck(view as DiffView, { signal });
      return (
        problem === undefined || {
          finding: `the diff does not apply: ${problem}`,
          fix:
            'Write the diff against the files after the milestones before, with exact ' +
            'context lines and line counts.',
        }
      );
    },
  };
}

const codeIntent: ChecklistRule<AgentOutput> = {
  id: 'milestone-code',
  version: '1',
  view: milestoneView,
  check: (view) => {
    const { id, codeIntents, diffs, docs } = milestoneIn(view);
    return (
      codeIntents.length + diffs.length + docs.length > 0 || {
        finding: `milestone ${id} has no code intents, diffs or documents`,
        fix: `Write code intents for milestone ${id}, or diffs.`,
      }
    );
  },
};

const fitTogether =
  'Do the changes of all milestones fit together: the same names, signatures and ' +
  'formats on both sides of each call?';

/**
 * Returns the module `plan_code`: correctness, edge cases and quality of the planned code.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const decompose = planCode({ applyCheck: gitApplyCheck() });
 * const gate = new ChecklistGate({ phase: 'plan-code', decompose, store: memoryChecklists() });
 * ```
 */
export function planCode(options: PlanCodeOptions = {}): ChecklistModule<AgentOutput> {
  checkTable('planCode', { applyCheck: call }, options);
  const { applyCheck } = options;
  return {
    name: 'plan_code',
    phase: 'plan-code',
    aspect: 'code diffs: correctness, edge cases, implementation quality',
    rules: [diffApplies(applyCheck), noConflictMarkers, codeIntent],
    decompose: (work) => [
      {
        scope: '*',
        check: fitTogether,
        severity: 'MUST',
      },
      ...perMilestone(work, ({ id, diffs }, scope) => [
        {
          scope,
          check: `Milestone ${id} states its code changes.`,
          severity: 'MUST',
          rule: 'milestone-code',
        },
        ...(diffs.length === 0
          ? []
          : ([
              {
                scope,
                check: `The diffs of milestone ${id} apply to the files after the milestones before.`,
                severity: 'MUST',
                rule: 'diff-applies',
              },
              {
                scope,
                check: `The diffs of milestone ${id} have no merge conflict markers.`,
                severity: 'MUST',
                rule: 'no-conflict-markers',
              },
              {
                scope,
                check: `Do the diffs of milestone ${id} implement its code intents correctly?`,
                severity: 'MUST',
              },
              {
                scope,
                check:
                  `Do the diffs of milestone ${id} handle empty, missing, large and hostile input, ` +
                  'and failures of their calls?',
                severity: 'SHOULD',
              },
              {
                scope,
                check: `Are the diffs of milestone ${id} as simple and clear as the code around them?`,
                severity: 'MAY',
              },
            ] as const)),
      ]),
    ],
  };
}
