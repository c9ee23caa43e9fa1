import type { AgentOutput } from '../../self-review/agent.js';
import type { ChecklistModule, ChecklistRule } from '../checklist-module.js';
import { draftsOf, milestoneRule, perMilestone, planIn, planView } from './plan-view.js';
import { noPlaceholders } from './text-rules.js';

const structure: ChecklistRule<AgentOutput> = {
  id: 'plan-structure',
  version: '1',
  view: planView,
  check: (view) => {
    const { title = '', milestones = [] } = planIn(view) ?? {};
    const ids = milestones.map(({ id }) => id);
    const twice = ids.filter((id, index) => ids.indexOf(id) !== index);
    const bare = milestones.filter(
      (milestone) =>
        milestone.title === '' ||
        (milestone.codeIntents.length === 0 &&
          milestone.files.length === 0 &&
          milestone.diffs.length === 0 &&
          milestone.docs.length === 0),
    );
    const problems = [
      title === '' && 'the plan has no title',
      milestones.length === 0 && 'the plan has no milestones',
      twice.length > 0 && `milestones share an id: ${[...new Set(twice)].join(', ')}`,
      bare.length > 0 &&
        `milestones without a title, or without anything to change: ${bare.map(({ id }) => id).join(', ')}`,
    ].filter((problem) => problem !== false);
    return (
      problems.length === 0 || {
        finding: problems.join('; '),
        fix: 'Give the plan a title, and each milestone a unique id, a title, and code intents, files or documents.',
      }
    );
  },
};

const acceptance = milestoneRule('milestone-acceptance', '1', ({ id, acceptanceCriteria }) => {
  const fix =
    `Add acceptance criteria to milestone ${id} definition. Include:\nSuccess ` +
    'conditions\nVerification steps\nExit criteria';
  const stated = acceptanceCriteria.some((text) => /\p{L}{2,}/u.test(text));
  return stated || { finding: `Acceptance criteria missing for ${id}`, fix };
});

/**
 * Returns the module `plan_completeness`: structure, milestones and acceptance criteria of a plan.
 *
 * @example
 * ```ts
 * const store = memoryChecklists();
 * const decompose = planCompleteness();
 * const gate = new ChecklistGate({ phase: 'plan-structure', decompose, store });
 * ```
 */
export function planCompleteness(): ChecklistModule<AgentOutput> {
  return {
    name: 'plan_completeness',
    phase: 'plan-structure',
    aspect: 'plan structure, milestone definitions and completeness of acceptance criteria',
    rules: [structure, acceptance, noPlaceholders],
    decompose: (work) => [
      ...draftsOf('*', [
        [
          'MUST',
          'The plan has a title, and milestones with unique ids, each with something to change.',
          'plan-structure',
        ],
        [
          'SHOULD',
          'Do the milestones together cover the whole request, in an order in which each builds on those before?',
        ],
      ]),
      ...perMilestone(work, ({ id }) => [
        ['MUST', `Milestone ${id} has acceptance criteria.`, 'milestone-acceptance'],
        ['SHOULD', `Milestone ${id} contains no placeholders.`, 'no-placeholders'],
        [
          'SHOULD',
          `Can another person decide for each acceptance criterion of milestone ${id} whether it is met?`,
        ],
      ]),
    ],
  };
}
