import { expect, it } from 'vitest';
import { codeCriteria } from '@/blocks/criteria/code/code-criteria.js';
import { cssCriteria } from '@/blocks/criteria/css/css-criteria.js';
import { htmlCriteria } from '@/blocks/criteria/html/html-criteria.js';
import { planCriteria } from '@/blocks/criteria/plan/plan-criteria.js';
import { textCriteria } from '@/blocks/criteria/text/text-criteria.js';
import { type Artifacts, definePipeline } from '@/index.js';
import { cleanPage, faultyPage } from '../support/planted-page.js';

const one = (path: string, content: string): Artifacts => ({
  artifacts: [{ type: 'text', path, content }],
});

/** Files with few things to judge, so that a single remark is all that a criterion finds. */
const outputs: readonly (readonly [string, Artifacts])[] = [
  ['a page with faults', faultyPage],
  ['a page without', cleanPage],
  ['an unknown property alone', one('a.css', 'p { frobnicate: 1 }')],
  ['an undefined variable alone', one('a.css', 'p { color: var(--a) }')],
  ['an outline that is gone', one('a.css', 'a:focus { outline: none }')],
  ['a mark for later', one('a.md', '# A\n\nTODO: write this.\n')],
  ['a text that breaks off', one('a.md', '# A\n\nThis text ends in the')],
  ['a letter to fill in', one('a.md', 'Dear [Name], the sum of ___ is due.\n')],
  ['broken JSON', one('a.json', '{ "a": ')],
  ['a plan without tasks', one('tasks.md', '# Tasks\n')],
  ['a plan whose task lacks all', one('tasks.md', '# Tasks\n\n- [ ] 1.1 a (depends on 1.9)\n')],
  ['a fragment of a page', one('a.html', '<a href="#x">here</a>')],
];

// a result that contradicts itself, such as a pass without a point, makes its judge fail
it.each(outputs)('no criterion contradicts itself: %s', async (_, output) => {
  const { assessments } = await definePipeline<string, Artifacts>({
    produce: async () => output,
    reviewers: [
      ...htmlCriteria(),
      ...cssCriteria(),
      ...textCriteria(),
      ...codeCriteria(),
      ...planCriteria(),
    ],
  }).review('task', output);
  expect(assessments.filter(({ verdict }) => verdict === 'errored')).toEqual([]);
});
