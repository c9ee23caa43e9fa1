import { describe, expect, it } from 'vitest';
import { cssCriteria } from '@/blocks/criteria/css/css-criteria.js';
import type { CriterionResult } from '@/core/criterion.js';
import type { AgentOutput } from '@/products/self-review/agent.js';
import { context, gapAt, judgedBy, repair } from '../support.js';

function sheets(...contents: string[]): AgentOutput {
  const type = 'stylesheet';
  return { artifacts: contents.map((content, at) => ({ type, path: `style${at}.css`, content })) };
}

const judge = (id: string, output: AgentOutput, options?: Parameters<typeof cssCriteria>[0]) =>
  judgedBy(cssCriteria(options), id, [output]);

describe('design-tokens', () => {
  it('names each hard-coded colour, font size and spacing with its line', async () => {
    const css =
      'a { color: #fff; }\r\nb {\r\n  padding: 4px var(--s);\r\n  font-size: 2rem;\r\n  margin: 0 auto;\r\n  background: transparent;\r\n}';
    const result = await judge('design-tokens', sheets(css));
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
    expect(await judge('design-tokens', half)).toMatchObject({
      passed: false,
      score: 0.5,
      details: '1 of 2 values are tokens (colour 1/1, spacing 0/1)',
    });
    expect(await judge('design-tokens', half, { tokenShare: 0.5 })).toMatchObject({ passed: true });
    expect(() => cssCriteria({ tokenShare: 80 })).toThrow(/tokenShare/);
  });

  it('a $ or var( in a comment or string is no token [D004-28]', async () => {
    const css = '/* $x var(--a) */ a { color: red; content: "var(--b) $c" }';
    const result = await judge('design-tokens', sheets(css));
    expect(result).toMatchObject({ passed: false, score: 0 });
  });

  it('does not check SCSS, Less and what is no CSS, and says where that shows', async () => {
    const content = '.a { color: #fff }\n$p: #fff;\n';
    const scss = { artifacts: [{ type: 'stylesheet', path: 'a.scss', content }] };
    for (const id of ['design-tokens', 'responsive'])
      expect(await judge(id, scss)).toMatchObject({
        passed: false,
        skipped: 'not checked: a.scss:2 is SCSS, not CSS',
      });
    expect(await judge('design-tokens', sheets('.a { color: red }\n@include b;'))).toMatchObject({
      skipped: 'not checked: style0.css:2 is SCSS or Less, not CSS',
    });
    const texts = sheets('/* $a: b */\na::after { content: "$x: 1"; color: var(--a) }');
    expect(await judge('design-tokens', texts)).toMatchObject({ passed: true });
    expect(await judge('design-tokens', sheets('}}}{{{ (('))).toMatchObject({
      passed: false,
      skipped: expect.stringContaining('not checked: style0.css:1'),
    });
    const mixed = await judge('design-tokens', sheets('}}}{{{ ((', 'a { color: var(--a) }'));
    expect(mixed).toMatchObject({
      passed: true,
      details: expect.stringContaining('not checked: style0.css:1'),
    });
  });

  it('skips where there is nothing to judge, or no token to judge it by [R3-062]', async () => {
    expect(await judge('design-tokens', { artifacts: [] })).toMatchObject({
      skipped: 'no stylesheet was found',
    });
    expect(await judge('design-tokens', sheets('a { color: red; margin: 4px }'))).toMatchObject({
      passed: false,
      skipped: 'no design token is defined',
    });
    expect(await judge('design-tokens', sheets('a { display: block }'))).toMatchObject({
      skipped: 'no stylesheet sets a value that tokens could set',
    });
  });

  it.each([
    [':root { --a: #fff; --b: 4px }', 0],
    [
      'a { color: currentColor; background: transparent; margin: 0 auto; padding: inherit; border: 1px solid transparent; width: 100% }',
      0,
    ],
    ['a { background: url(data:image/png;base64,#fff) no-repeat }', 0],
    ['a { background: linear-gradient(var(--a), #fff) }', 1],
    [
      'a { color: rgb(from var(--a) r g b / 50%); border-color: color-mix(in srgb, var(--a), black) }',
      0,
    ],
    [
      'a { box-shadow: 0 1px 2px rgba(0, 0, 0, .2); border-radius: 4px; transition: color .2s; z-index: 10; z-index: 1; gap: 8px; font: 14px serif }',
      6,
    ],
    ['a { padding: calc(var(--s) * 2); margin: var(--m, 4px) }', 0],
  ])('%s holds %d values of its own', async (css, count) => {
    const { findings = [] } = await judge('design-tokens', sheets(css, ':root { --t: 1px }'));
    expect(findings).toHaveLength(count);
  });

  it('reads the style blocks of pages and components, at their lines', async () => {
    const content =
      '<template>\n<p>color: red</p>\n</template>\n<style scoped>\n.a { color: red; --t: 1px }\n</style>\n<style lang="scss">\n$x: 1;\n</style>\n';
    const output = { artifacts: [{ type: 'mockup', path: 'a.vue', content }] };
    const result = await judge('design-tokens', output);
    expect(result).toMatchObject({
      passed: false,
      findings: [{ file: 'a.vue', line: 5, evidence: 'color: red' }],
      details: expect.stringContaining('a.vue:8 is SCSS'),
    });
  });

  it('puts the one design token that holds a value in its place [D004-13]', async () => {
    const content = {
      color: { primary: { $value: '#0066FF' }, same: '#abc', also: '#aabbcc' },
      spacing: { md: '16px' },
    };
    const task = { context: { items: [{ type: 'design_tokens', content }] } };
    const output = sheets(
      ':root { --spacing-md: 16px }\na {\n  color: #06f;\n  padding: 16px 0;\n  fill: #abc;\n}',
    );
    const criterion = cssCriteria()[0];
    const { findings = [] } = (await criterion?.validate(output, task, context)) ?? {};
    expect(findings.map(({ suggestedFix }) => suggestedFix)).toEqual([
      'Use var(--color-primary, #06f)',
      'Use var(--spacing-md)',
      'Use a token: fill: var(--...)',
    ]);
    let current = output;
    for (const finding of findings)
      current = (await criterion?.fix?.(current, gapAt(finding), repair(task))) ?? current;
    expect(current.artifacts[0]?.content).toBe(
      ':root { --spacing-md: 16px }\na {\n  color: var(--color-primary, #06f);\n  padding: var(--spacing-md) 0;\n  fill: #abc;\n}',
    );
    expect(output.artifacts[0]?.content).toContain('#06f;');
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
    ['@media only print and (min-width: 40em) { a { color: red } }', 0],
    ['a { display: grid; grid-template-columns: repeat(auto-fit, minmax(12rem, 1fr)) }', 1],
    ['/* @media (min-width: 1px) flex grid */ .grid { color: red }', 0],
    ['a { content: "display: flex" }', 0],
  ])('SR-98: %s scores %d', async (css, score) => {
    expect(await judge('responsive', sheets(css))).toMatchObject({ score, passed: score >= 0.6 });
  });

  it('says where the evidence stands, and which widths are rigid', async () => {
    const css = 'a{display:flex}\n@media (max-width: 9em) { a { color: red } }';
    const { details } = await judge('responsive', sheets(css));
    expect(details).toBe('1 breakpoints (style0.css:2), uses flex or grid (style0.css:1)');
    expect(await judge('responsive', sheets('a {\n  width: 960px;\n}'))).toMatchObject({
      passed: false,
      findings: [{ line: 2, evidence: 'width: 960px' }],
    });
  });
});

it.each(['{', '}', 'a{', 'a{b:(', '/*', '"', '@', ';', 'a ', 'a{color:red}', '\u0000', '\\'])(
  'hostile stylesheets survives half a megabyte of %j',
  async (piece) => {
    for (const criterion of cssCriteria())
      await criterion.validate(sheets(piece.repeat(500_000 / piece.length)), undefined, context);
  },
  30_000,
);

/** A page with the styles, and other files. */
function page(css: string, body = '', others: Readonly<Record<string, string>> = {}): AgentOutput {
  return {
    artifacts: [
      { type: 'html', path: 'index.html', content: `<style>\n${css}\n</style>${body}` },
      ...Object.entries(others).map(([path, content]) => ({ type: 'file', path, content })),
    ],
  };
}

const linesOf = ({ findings = [] }: CriterionResult): unknown[] => findings.map(({ line }) => line);

describe('css-properties', () => {
  it('names what browsers do not know, with the nearest name [R2-095]', async () => {
    const css = 'a {\n  colr: red;\n  backgroud-color: blue;\n  color: red;\n}';
    const result = await judge('css-properties', sheets(css));
    expect(result).toMatchObject({
      passed: false,
      findings: [
        { line: 2, evidence: 'colr: red', suggestedFix: 'Write "color"' },
        { line: 3, suggestedFix: 'Write "background-color"' },
      ],
    });
  });

  it('a name that resembles none is a remark: it may be new [R2-095]', async () => {
    const result = await judge('css-properties', sheets('a { entirely-fresh-invention: 1 }'));
    expect(result).toMatchObject({ passed: true, score: 1, findings: [{ severity: 'minor' }] });
  });

  it('leaves custom properties, prefixes, hacks and descriptors alone [R2-095]', async () => {
    const css =
      'a { --colr: red; -webkit-colr: red; *zoom: 1; _height: 1px; COLOR: red; composes: b; text-wrap: balance }\n@font-face { font-family: A; src: url(a.woff2); font-display: swap }\n@property --x { syntax: "*"; inherits: false }\n@page { size: A4 }\na { &:hover { color: red } }';
    expect(await judge('css-properties', sheets(css))).toMatchObject({ passed: true, score: 1 });
  });
});

describe('css-variables', () => {
  it('names what no file defines, unless a fallback stands beside it [R2-095]', async () => {
    const css = ':root { --blue: #00f }\na { color: var(--bleu); background: var(--none, red) }';
    const result = await judge('css-variables', page(css));
    expect(linesOf(result)).toEqual([3]);
    expect(result).toMatchObject({ passed: false, findings: [{ evidence: expect.any(String) }] });
    expect(await judge('css-variables', page(css.replace('bleu', 'blue')))).toMatchObject({
      passed: true,
      score: 1,
    });
  });

  const use = 'a { color: var(--x) }';
  it.each([
    ['a rule of another file', page(use, '', { 'b.css': ':root { --x: red }' })],
    ['a style attribute', page(use, '<p style="--x: red">')],
    ['a script', page(use, '<script>root.style.setProperty("--x", "red")</script>')],
    ['an @property', page(`${use} @property --x { syntax: "*"; inherits: false }`)],
  ])('%s defines it [R2-095]', async (_name, output) => {
    expect(await judge('css-variables', output)).toMatchObject({ passed: true });
  });

  it.each([
    ['a stylesheet alone', sheets(use)],
    ['a stylesheet from elsewhere', page(use, '<link rel="stylesheet" href="https://a.b/c.css">')],
    ['a stylesheet that is missing', page(use, '<link href="c.css" rel="stylesheet">')],
    ['an import', page(`@import "theme.css"; ${use}`)],
    ['a script from elsewhere', page(use, '<script src="app.js"></script>')],
  ])('%s may define it, so it is not checked [R2-095]', async (_name, output) => {
    expect(await judge('css-variables', output)).toMatchObject({ skipped: expect.any(String) });
  });
});

describe('css-focus', () => {
  it.each([
    ':focus { outline: none }',
    'a:focus { outline: 0 }',
    'button { outline: 0 none }',
    '* { outline-style: none }',
    'input:focus-visible { outline-width: 0px }',
  ])('%s removes the mark of the focus [R2-095]', async (css) => {
    expect(await judge('css-focus', sheets(css))).toMatchObject({ passed: false });
  });

  it.each([
    ':focus { outline: none; box-shadow: 0 0 2px blue }',
    ':focus { outline: none } :focus-visible { outline: 2px solid blue }',
    ':focus:not(:focus-visible) { outline: none }',
    '[tabindex="-1"]:focus { outline: none }',
    'a { outline: thin solid }',
    'a { outline-offset: 0 }',
  ])('%s keeps one [R2-095]', async (css) => {
    expect(await judge('css-focus', sheets(css))).toMatchObject({ passed: true, score: 1 });
  });

  it('what only a class names is a remark [R2-095]', async () => {
    const result = await judge('css-focus', sheets('.editor { outline: none }'));
    expect(result).toMatchObject({ passed: true, score: 1, findings: [{ severity: 'minor' }] });
  });
});
