import type { ArtifactCriterion } from '../../../blocks/criteria/artifact-criterion.js';
import { type AgentOutput, AgentOutputSchema } from '../../self-review/agent.js';
import type { ChecklistRule, ItemAnswer } from '../checklist-module.js';
import { fileView, milestoneIn, milestoneView } from './plan-view.js';

/** Matches a mark of a merge on an added line, also of a diff against both sides of a merge. */
const addedMark = /^\+\+?(?:<{7}|\|{7}|>{7})(?: .*)?$/m;

export const noConflictMarkers: ChecklistRule<AgentOutput> = {
  id: 'no-conflict-markers',
  version: '2',
  view: milestoneView,
  check: (view) => {
    const at = milestoneIn(view).diffs.findIndex(({ text }) => addedMark.test(text));
    return (
      at === -1 || {
        finding: `diff ${at + 1} has merge conflict markers`,
        fix: 'Remove conflict markers (<<<<<<<, =======, >>>>>>>) and resolve merge conflicts.',
      }
    );
  },
};

/** Marks alone, at the beginning with a sign, or at the end behind one: a text about marks has none. */
const placeholders = [
  /^(?:TODO|TBD|TBC|FIXME)(?:$|[:(,;.])/,
  /[,:;([-]\s*(?:TODO|TBD|TBC|FIXME)[)\].]{0,2}$/,
  /<[A-Za-z][A-Za-z -]*here>/,
  /\?\?\?$/,
  /^[Ll]orem ipsum dolor/,
];

export const noPlaceholders: ChecklistRule<AgentOutput> = {
  id: 'no-placeholders',
  version: '2',
  view: milestoneView,
  check: (view) => {
    const { title, acceptanceCriteria, codeIntents, docs } = milestoneIn(view);
    const found = [title, ...acceptanceCriteria, ...codeIntents, ...docs].find((text) =>
      placeholders.some((form) => form.test(text.trim())),
    );
    return (
      found === undefined || {
        finding: `${JSON.stringify(found.slice(0, 200))} is a placeholder`,
        fix: 'Replace it with the real content.',
      }
    );
  },
};

export const codeFile: ChecklistRule<AgentOutput> = {
  id: 'code-file',
  version: '1',
  view: fileView,
  check: async (view, _item, { signal }) => {
    const { codeCriteria } = await import('../../../blocks/criteria/code/code-criteria.js');
    return answerOf(view, codeCriteria(), signal, [
      'code-conflict-markers',
      'code-cut-off',
      'code-placeholders',
      'code-data',
      'code-chatter',
    ]);
  },
};

export const docFile: ChecklistRule<AgentOutput> = {
  id: 'doc-file',
  version: '1',
  view: fileView,
  check: async (view, _item, { signal }) => {
    const { textCriteria } = await import('../../../blocks/criteria/text/text-criteria.js');
    return answerOf(view, textCriteria(), signal, [
      'text-conflict-markers',
      'text-cut-off',
      'text-placeholders',
      'text-code-fences',
      'text-chatter',
    ]);
  },
};

async function answerOf(
  view: unknown,
  criteria: readonly ArtifactCriterion[],
  signal: AbortSignal,
  ids: readonly string[],
): Promise<ItemAnswer> {
  const output = AgentOutputSchema.parse(view);
  if (output.artifacts.every(({ content = '' }) => content.trim() === ''))
    return { finding: 'the file is empty', fix: 'Write the file.' };
  const findings: string[] = [];
  const fixes: string[] = [];
  for (const criterion of criteria.filter(({ id }) => ids.includes(id))) {
    const result = await criterion.validate(output, undefined, { previous: [], signal });
    if (result.passed || result.skipped !== undefined) continue;
    findings.push(result.details);
    if (result.suggestedFix !== undefined) fixes.push(result.suggestedFix);
  }
  return findings.length === 0 || { finding: findings.join('; '), fix: fixes.join('\n') };
}
