import type { ArtifactCriterion } from '../../../blocks/criteria/artifact-criterion.js';
import { type AgentOutput, AgentOutputSchema } from '../../self-review/agent.js';
import type { ChecklistRule, ItemAnswer } from '../checklist-module.js';
import { fileView, milestoneRule } from './plan-view.js';

/** Matches a mark of a merge on an added line, also of a diff against both sides of a merge. */
const addedMark = /^\+\+?(?:<{7}|\|{7}|>{7})(?: .*)?$/m;

export const noConflictMarkers = milestoneRule('no-conflict-markers', '2', ({ diffs }) => {
  const at = diffs.findIndex(({ text }) => addedMark.test(text));
  const fix = 'Remove conflict markers (<<<<<<<, =======, >>>>>>>) and resolve merge conflicts.';
  return at === -1 || { finding: `diff ${at + 1} has merge conflict markers`, fix };
});

/** Marks alone, at the beginning with a sign, or at the end behind one: a text about marks has none. */
const placeholders = [
  /^(?:TODO|TBD|TBC|FIXME)(?:$|[:(,;.])/,
  /[,:;([-]\s*(?:TODO|TBD|TBC|FIXME)[)\].]{0,2}$/,
  /<[A-Za-z][A-Za-z -]*here>/,
  /\?\?\?$/,
  /^[Ll]orem ipsum dolor/,
];

export const noPlaceholders = milestoneRule('no-placeholders', '2', (milestone) => {
  const { title, acceptanceCriteria, codeIntents, docs } = milestone;
  const found = [title, ...acceptanceCriteria, ...codeIntents, ...docs].find((text) =>
    placeholders.some((form) => form.test(text.trim())),
  );
  if (found === undefined) return true;
  const finding = `${JSON.stringify(found.slice(0, 200))} is a placeholder`;
  return { finding, fix: 'Replace it with the real content.' };
});

export const codeFile = fileRule(
  'code-file',
  async () => (await import('../../../blocks/criteria/code/code-criteria.js')).codeCriteria(),
  ['conflict-markers', 'cut-off', 'placeholders', 'data', 'chatter'].map((name) => `code-${name}`),
);

export const docFile = fileRule(
  'doc-file',
  async () => (await import('../../../blocks/criteria/text/text-criteria.js')).textCriteria(),
  ['conflict-markers', 'cut-off', 'placeholders', 'code-fences', 'chatter'].map(
    (name) => `text-${name}`,
  ),
);

function fileRule(
  id: string,
  load: () => Promise<readonly ArtifactCriterion[]>,
  ids: readonly string[],
): ChecklistRule<AgentOutput> {
  return {
    ...{ id, version: '1', view: fileView },
    check: async (view, _item, { signal }) => answerOf(view, await load(), signal, ids),
  };
}

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
