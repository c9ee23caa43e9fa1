import { artifactsOf } from '../../../core/artifact.js';
import type { AgentOutput } from '../../self-review/agent.js';
import type { ChecklistModule, ChecklistRule } from '../checklist-module.js';
import { changesOf, removedBy } from '../plan/diff-changes.js';
import { findPlan } from '../plan/read-plan.js';
import {
  diffTexts,
  draftsOf,
  milestonePlace,
  milestonesOf,
  perMilestone,
  scopeOf,
} from './plan-view.js';

interface Delivery {
  readonly id: string;
  readonly files: readonly { readonly path: string; readonly content: string | null }[];
  /** The lines that the diffs add to a file; `null` for a file that they remove. */
  readonly wanted: readonly { readonly path: string; readonly lines: readonly string[] | null }[];
}

function deliveryView(work: AgentOutput, scope: string): Delivery | { readonly missing: string } {
  const place = milestonePlace(work, scope);
  if ('missing' in place) return place;
  const { milestone } = place;
  const later = diffTexts(place.after);
  const laterChanges = later.flatMap(changesOf);
  const gone = removedBy(later);
  const wanted = milestone.diffs
    .flatMap(({ text }) => changesOf(text))
    .flatMap(({ path, oldPath, isRenamed, added, isRemoved }) => [
      {
        path,
        lines: isRemoved
          ? null
          : promisedLines(
              added,
              laterChanges.flatMap((change) =>
                change.path === path || change.oldPath === path ? change.removed : [],
              ),
            ),
      },
      ...(!isRenamed || oldPath === undefined ? [] : [{ path: oldPath, lines: null }]),
    ])
    .filter(
      ({ path, lines }) =>
        !gone.has(path) && (lines !== null || !laterChanges.some((change) => change.path === path)),
    );
  const contents = new Map(artifactsOf(work).map(({ path, content = null }) => [path, content]));
  const paths = [...new Set([...milestone.files, ...wanted.map(({ path }) => path)])].filter(
    (path) => !gone.has(path),
  );
  return {
    id: milestone.id,
    files: paths.map((path) => ({ path, content: contents.get(path) ?? null })),
    wanted,
  };
}

/** Returns the added lines that no later diff removes, trimmed and without blank lines. */
function promisedLines(added: readonly string[], removedLater: readonly string[]): string[] {
  const gone = new Set(removedLater.map((line) => line.trim()));
  return added.map((line) => line.trim()).filter((line) => line !== '' && !gone.has(line));
}

function problemsOf({ files, wanted }: Delivery): string[] {
  const contents = new Map(files.map(({ path, content }) => [path, content]));
  const removed = new Set(wanted.flatMap(({ path, lines }) => (lines === null ? [path] : [])));
  const absent = files
    .filter(({ path, content }) => content === null && !removed.has(path))
    .map(({ path }) => `${path} does not exist`);
  const left = [...removed]
    .filter((path) => (contents.get(path) ?? null) !== null)
    .map((path) => `${path} still exists, although the plan removes it`);
  const lacking = wanted.flatMap(({ path, lines }) => {
    const content = contents.get(path);
    if (typeof content !== 'string' || lines === null) return [];
    const there = new Set(content.split('\n').map((line) => line.trim()));
    const gone = lines.filter((line) => !there.has(line));
    return gone.length === 0
      ? []
      : [
          `${path} lacks ${gone.length} of ${lines.length} lines of the diff, the first: ${gone[0]?.slice(0, 200)}`,
        ];
  });
  return [...absent, ...left, ...lacking];
}

const delivered: ChecklistRule<AgentOutput> = {
  id: 'milestone-delivered',
  version: '1',
  view: deliveryView,
  check: (view) => {
    const problems = problemsOf(view as Delivery);
    return (
      problems.length === 0 || {
        finding: `milestone ${(view as Delivery).id} is not delivered: ${problems.join('; ')}`,
        fix: 'Deliver what the plan promises, or change the plan together with its approver.',
      }
    );
  },
};

const allDelivered: ChecklistRule<AgentOutput> = {
  id: 'all-delivered',
  version: '1',
  view: (work) => ({
    deliveries: milestonesOf(findPlan(work)).map(({ id }) => deliveryView(work, scopeOf(id))),
  }),
  check: (view) => {
    const { deliveries } = view as { readonly deliveries: readonly Delivery[] };
    if (deliveries.length === 0)
      return {
        finding: 'no plan with milestones was found',
        fix: 'Include the plan in the reviewed files.',
      };
    const open = deliveries
      .filter((delivery) => problemsOf(delivery).length > 0)
      .map(({ id }) => id);
    return (
      open.length === 0 || {
        finding: `${open.length} of ${deliveries.length} milestones are not delivered: ${open.join(', ')}`,
        fix: 'Deliver these milestones.',
      }
    );
  },
};

/** Returns the module `reconciliation`: every milestone of the plan is delivered. */
export function reconciliation(): ChecklistModule<AgentOutput> {
  return {
    name: 'reconciliation',
    phase: 'impl-code',
    aspect: 'plan matches implementation, all milestones delivered',
    rules: [delivered, allDelivered],
    decompose: (work) => [
      ...draftsOf('*', [['MUST', 'Every milestone of the plan is delivered.', 'all-delivered']]),
      ...perMilestone(work, ({ id }) => [
        ['MUST', `The files and changes of milestone ${id} exist.`, 'milestone-delivered'],
        ['MUST', `Does the implementation meet every acceptance criterion of milestone ${id}?`],
      ]),
    ],
  };
}
