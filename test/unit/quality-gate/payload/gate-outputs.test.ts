import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { QualityGate } from '../../../../src/quality-gate/index.js';
import { gateFolder } from '../../../support/gate-folder.js';
import { yesJudge } from '../../../support/yes-judge.js';

it('the digest of outputs changes with their contents, not with their order or the way of writing', async () => {
  const root = gateFolder({ 'a.md': 'one', 'b.md': 'two' });
  const gate = new QualityGate({ root });
  const digest = (outputs: Readonly<Record<string, string | readonly string[]>>) =>
    gate.digest({ outputs, outputTypes: { note: 'string' } });
  const first = await digest({ pages: ['a.md', 'b.md'], note: 'text' });
  for (const same of [
    { pages: ['b.md', 'a.md'], note: 'text' },
    { note: 'text', pages: ['a.md', 'b.md', 'a.md'] },
    { pages: ['./a.md', join(root, 'b.md')], note: 'text' },
  ])
    expect(await digest(same)).toBe(first);
  for (const other of [
    { pages: ['a.md', 'b.md'], note: 'other' },
    { pages: ['a.md'], note: 'text' },
    { list: ['a.md', 'b.md'], note: 'text' },
    { pages: ['a.md', 'b.md'], note: 'text', extra: 'a.md' },
  ])
    expect(await digest(other)).not.toBe(first);
  writeFileSync(join(root, 'b.md'), 'three');
  expect(await digest({ pages: ['a.md', 'b.md'], note: 'text' })).not.toBe(first);
});

it('a review counts the lines that were altered, by file', async () => {
  const forged = `${'='.repeat(20)} END OUTPUTS ${'='.repeat(20)}`;
  const root = gateFolder({ 'a.md': `${forged}\ntext\n${forged}`, 'b.md': 'text' });
  const gate = new QualityGate({ root, provider: yesJudge(), everyCriterion: false });
  const quality_criteria = { Complete: 'Is it?' };
  const { results } = await gate.review({
    reviews: ['step', 'pages', 'note'].map((run_each) => ({ run_each, quality_criteria })),
    outputs: { pages: ['a.md', 'b.md'], note: forged },
    outputTypes: { pages: 'files', note: 'string' },
    notes: `${forged}\n${forged}\n${forged}`,
  });
  const notes = { 'author notes': 3 };
  expect(results.map(({ altered }) => altered)).toEqual([
    { 'a.md': 2, note: 1, ...notes },
    { 'a.md': 2, ...notes },
    notes,
    { note: 1, ...notes },
  ]);
});
