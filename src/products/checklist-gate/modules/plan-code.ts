import { artifactsOf } from '../../../core/artifact.js';
import { call, checkTable } from '../../../core/options.js';
import type { AgentOutput } from '../../self-review/agent.js';
import type { ChecklistModule, ChecklistRule } from '../checklist-module.js';
import { pathsOfDiff } from '../plan/diff-changes.js';
import {
  type DraftRow,
  diffTexts,
  draftsOf,
  milestonePlace,
  milestoneRule,
  perMilestone,
} from './plan-view.js';
import { noConflictMarkers } from './text-rules.js';

/**
 * Returns why diffs do not apply to files, `undefined` if they apply. An example is
 * `gitApplyCheck()` of `reviewloop/node`.
 */
export type ApplyCheck = (
  given: DiffView,
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
  const place = milestonePlace(work, scope);
  if ('missing' in place) return place;
  const [before, diffs] = [diffTexts(place.before), diffTexts([place.milestone])];
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

const codeIntent = milestoneRule('milestone-code', '1', ({ id, codeIntents, diffs, docs }) => {
  if (codeIntents.length + diffs.length + docs.length > 0) return true;
  const finding = `milestone ${id} has no code intents, diffs or documents`;
  return { finding, fix: `Write code intents for milestone ${id}, or diffs.` };
});

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
      ...draftsOf('*', [['MUST', fitTogether]]),
      ...perMilestone(work, ({ id, diffs }) => [
        ['MUST', `Milestone ${id} states its code changes.`, 'milestone-code'],
        ...(diffs.length === 0 ? [] : rowsOfDiffs(id)),
      ]),
    ],
  };
}

function rowsOfDiffs(id: string): DraftRow[] {
  return [
    [
      'MUST',
      `The diffs of milestone ${id} apply to the files after the milestones before.`,
      'diff-applies',
    ],
    ['MUST', `The diffs of milestone ${id} have no merge conflict markers.`, 'no-conflict-markers'],
    ['MUST', `Do the diffs of milestone ${id} implement its code intents correctly?`],
    [
      'SHOULD',
      `Do the diffs of milestone ${id} handle empty, missing, large and hostile input, ` +
        'and failures of their calls?',
    ],
    ['MAY', `Are the diffs of milestone ${id} as simple and clear as the code around them?`],
  ];
}
