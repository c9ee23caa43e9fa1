import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { cssCriteria } from '../../../../src/criteria/css/css-criteria.js';
import type { AgentOutput } from '../../../../src/kernel/agent.js';
import type { CriterionResult } from '../../../../src/kernel/criterion.js';
import { describeCorpora } from '../../../support/corpora.js';

const context = { previousOutputs: [], previousReviews: [] };

function sheets(...contents: string[]): AgentOutput {
  return { artifacts: contents.map((content, index) => ({ type: 'stylesheet', path: `style${index}.${content.includes('$') ? 'scss' : 'css'}`, content })) };
}

function judge(id: string, output: AgentOutput, options?: Parameters<typeof cssCriteria>[0]): Promise<CriterionResult> {
  const found = cssCriteria(options).find((criterion) => criterion.id === id);
  if (found === undefined) throw new Error(id);
  return found.validate(output, undefined, context);
}

describe('design-tokens', () => {
  it('names each hard-coded colour, font size and spacing with its line', async () => {
    const result = await judge('design-tokens', sheets('a { color: #fff; }\r\nb {\r\n  padding: 4px var(--s);\r\n  font-size: 2rem;\r\n  margin: 0 auto;\r\n  background: transparent;\r\n}'));
    expect(result).toMatchObject({
      passed: false,
      score: 0,
      findings: [
        { file: 'style0.css', line: 1, evidence: 'color: #fff' },
        { line: 3, evidence: 'padding: 4px var(--s)' },
        { line: 4, evidence: 'font-size: 2rem' },
      ],
    });
  });

  it('passes from the share of tokens on', async () => {
    const half = sheets('a { color: var(--c, #fff); padding: 4px }');
    expect(await judge('design-tokens', half)).toMatchObject({ passed: false, score: 0.5, details: '1 of 2 colours, font sizes and spacings are tokens' });
    expect(await judge('design-tokens', half, { tokenShare: 0.5 })).toMatchObject({ passed: true });
    expect(() => cssCriteria({ tokenShare: 80 })).toThrow(/tokenShare/);
  });

  it('D004-28: a $ or var( in a comment or string is no token', async () => {
    const result = await judge('design-tokens', sheets('/* $x var(--a) */ a { color: red; content: "var(--b) $c" }'));
    expect(result).toMatchObject({ passed: false, score: 0 });
  });

  it('reads variables and nesting of SCSS', async () => {
    const result = await judge('design-tokens', sheets('$p: #fff;\n// color: #000;\n.a { color: $p; &:hover { padding: $s 0; margin: 4px } }'));
    expect(result).toMatchObject({ passed: false, findings: [{ evidence: 'margin: 4px', line: 3 }] });
    expect(result.score).toBeCloseTo(2 / 3);
  });

  it('skips where there is nothing to judge, and fails only where nothing can be read', async () => {
    expect(await judge('design-tokens', { artifacts: [] })).toMatchObject({ skipped: 'there is no stylesheet' });
    expect(await judge('design-tokens', sheets('a { display: block }'))).toMatchObject({ skipped: 'no stylesheet sets a colour, font size or spacing' });
    expect(await judge('design-tokens', sheets('}}}{{{ (('))).toMatchObject({ passed: false, details: 'No stylesheet could be read: style0.css' });
    const mixed = await judge('design-tokens', sheets('}}}{{{ ((', 'a { color: var(--a) }'));
    expect(mixed).toMatchObject({ passed: true, details: expect.stringContaining('not read: style0.css') });
  });
});

describe('responsive', () => {
  it.each([
    ['@media (min-width: 40em) { a { color: red } }', 0.6],
    ['@media (width >= 40em) { a { color: red } }', 0.6],
    ['@container card (inline-size > 300px) { a { color: red } }', 0.6],
    ['a { display: grid }', 0.4],
    ['a { display: inline-flex } @media (max-width: 9em) { a { color: red } }', 1],
    ['@media print { a { color: red } }', 0],
    ['@media (prefers-color-scheme: dark) { a { color: red } }', 0],
    ['@media (min-width: 40em) {}', 0],
    ['a { min-width: 4em; max-width: 9em }', 0],
    ['/* @media (min-width: 1px) flex grid */ .grid { color: red }', 0],
    ['a { content: "display: flex" }', 0],
  ])('SR-98: %s scores %d', async (css, score) => {
    expect(await judge('responsive', sheets(css))).toMatchObject({ score, passed: score >= 0.6 });
  });
});

describe('hostile stylesheets', () => {
  it.each(['{', '}', 'a{', 'a{b:(', '/*', '"', '@', ';', 'a ', 'a{color:red}', '\u0000', '\\'])(
    'survives half a megabyte of %j',
    async (piece) => {
      for (const criterion of cssCriteria()) await criterion.validate(sheets(piece.repeat(500_000 / piece.length)), undefined, context);
    },
    30_000,
  );
});

const LabelsSchema = z.record(z.string(), z.object({ mediaQueries: z.number(), flexOrGrid: z.boolean() }));

describeCorpora('responsive on real stylesheets', (folder) => {
  const labels = LabelsSchema.parse(JSON.parse(readFileSync(join(folder, 'css/labels.json'), 'utf8')));
  it.each(Object.entries(labels).filter(([file]) => existsSync(join(folder, 'css', file))))('agrees with the label of %s', async (file, { mediaQueries, flexOrGrid }) => {
    const { score } = await judge('responsive', sheets(readFileSync(join(folder, 'css', file), 'utf8')));
    expect(score).toBe((mediaQueries > 0 ? 0.6 : 0) + (flexOrGrid ? 0.4 : 0));
  });
});
