import { describe, expect, it } from 'vitest';
import { explicitRequirements } from '@/blocks/requirements/explicit-requirements.js';
import type { Requirement } from '@/blocks/requirements/requirement.js';
import { RequirementExtractor } from '@/blocks/requirements/requirement-extractor.js';
import { combineStrategies } from '@/blocks/requirements/strategy.js';

const textsOf = async (text: string): Promise<string[]> =>
  (await explicitRequirements(text)).map((requirement) => requirement.text);

describe('explicitRequirements', () => {
  it('bullets with -, *, + and • are requirements, with their lines [SR-57]', async () => {
    const found = await explicitRequirements(
      'Build it.\n\n- Shows the total\n* Hides the tax\n+ Prints a receipt\n• Sends a mail\n•No space',
    );
    expect(found.map(({ text, line, kind }) => [line, kind, text])).toEqual([
      [3, 'bullet', 'Shows the total'],
      [4, 'bullet', 'Hides the tax'],
      [5, 'bullet', 'Prints a receipt'],
      [6, 'bullet', 'Sends a mail'],
      [7, 'bullet', 'No space'],
    ]);
  });

  it('numbered items with 1. and 1) are requirements [SR-58]', async () => {
    expect(await textsOf('1. First thing\n2) Second thing\n10. Tenth thing')).toEqual([
      'First thing',
      'Second thing',
      'Tenth thing',
    ]);
  });

  it.each([
    ['The page should load fast.', 'SHOULD'],
    ['The page must load fast.', 'MUST'],
    ['Users need to log in.', 'SHOULD'],
    ['It needs to print.', 'SHOULD'],
    ['The form requires a name.', 'MUST'],
    ['Both pages require a name.', 'MUST'],
    ['The page SHALL load.', 'MUST'],
  ])('"%s" is a statement, %s [SR-59]', async (text, strength) => {
    expect(await explicitRequirements(`Some words before. ${text}`)).toMatchObject([
      { text, kind: 'statement', strength, line: 1, endLine: 1 },
    ]);
  });

  it('reads task items with their state, continuation lines, and nesting', async () => {
    const found = await explicitRequirements(
      '- [x] Done thing\n- [ ] Open thing\n  that goes on\n    - Inner thing',
    );
    expect(found).toMatchObject([
      { kind: 'task', checked: true, text: 'Done thing' },
      { kind: 'task', checked: false, text: 'Open thing that goes on', line: 2, endLine: 3 },
      { kind: 'bullet', text: 'Inner thing', line: 4 },
    ]);
    expect(found[2]).not.toHaveProperty('checked');
  });

  it('takes strength from the words, else from the line above the list, else from the heading', async () => {
    const found = await explicitRequirements(
      'The form must have:\n- a name\n- MAY have an age\n\n## Nice to have\n- dark mode\n\n## Other\n- exports\n- (optional) prints',
    );
    expect(found.map(({ text, strength, section }) => [text, strength, section.at(-1)])).toEqual([
      ['a name', 'MUST', undefined],
      ['MAY have an age', 'MAY', undefined],
      ['dark mode', 'MAY', 'Nice to have'],
      ['exports', 'SHOULD', 'Other'],
      ['(optional) prints', 'MAY', 'Other'],
    ]);
  });

  it('leaves out what is no requirement', async () => {
    const text = [
      '---',
      'title: must not count',
      '---',
      '# Must have a heading',
      'Underlined must',
      '===',
      '> It must not count',
      '```js',
      '- must not count',
      '```',
      '~~~',
      '1. must not count',
      '~~~',
      '<!-- It must not',
      'count -->',
      '| Name | must |',
      '|---|---|',
      '| a | b |',
      '- [docs](https://example.org)',
      '- https://example.org/a',
      '- ',
      '***',
      '- ---',
      '- Should it be blue?',
      '',
      'It does not need to print.',
      'We use `must` freely.',
      'The requirements follow.',
      '## Out of scope',
      '- Payments',
    ].join('\n');
    expect(await textsOf(text)).toEqual([]);
  });

  it('takes only obligations from what explains or describes, and no name of a list', async () => {
    expect(
      await textsOf(
        '# Why\n- It is slow\n- It must be fast\n\n# Overview\n- It is a shop\n- It must be fast\n\n# What\n- **Pages:**\n  - Login',
      ),
    ).toEqual(['It must be fast', 'It must be fast', 'Login']);
  });

  it('keeps table rows that say what must be so', async () => {
    expect(
      await explicitRequirements(
        '| Id | Text |\n|:--|--:|\n| R1 | The page must load |\n| R2 | nothing |',
      ),
    ).toMatchObject([{ kind: 'row', line: 3, text: 'The page must load' }]);
  });

  it('counts a scenario by its outcome', async () => {
    const text =
      '#### Scenario: one\n- **WHEN** the name is empty\n- **AND** the form is sent\n- **THEN** an error is shown\n\n#### Scenario: two\n- **WHEN** the name is long\n- **THEN** an error is shown';
    expect(
      (await explicitRequirements(text)).map(({ line, text: words }) => [line, words]),
    ).toEqual([
      [4, '**THEN** an error is shown (**WHEN** the name is empty, **AND** the form is sent)'],
      [8, '**THEN** an error is shown (**WHEN** the name is long)'],
    ]);
  });

  it('an unclosed fence or comment hides nothing', async () => {
    expect(await textsOf('```\n- one\n\n<!--\n- two')).toEqual(['one', 'two']);
  });

  it('signs inside a line begin no item [D004-20]', async () => {
    expect(
      await textsOf(
        'A well-known login page\n**Bold** text\nNode 20.11 and v1.2\nsince 2019. Then more',
      ),
    ).toEqual([]);
  });

  it('a must-line without a full stop counts, "requires" counts, parts of words do not [D004-21]', async () => {
    expect(
      await textsOf('The page must load fast\nIt requires HTTPS\nThe mustard and the shoulder'),
    ).toEqual(['The page must load fast', 'It requires HTTPS']);
  });

  it('a bullet that holds a "must" counts once, and so does what is said again [D004-22]', async () => {
    expect(await textsOf('- The page must load fast')).toEqual(['The page must load fast']);
    expect(
      await textsOf(
        'The page must load fast. Now.\n\n- the page **must** load fast\n- must load fast on phones',
      ),
    ).toEqual(['The page must load fast.', 'must load fast on phones']);
  });

  it('a sentence that was wrapped stays one, one that was ended by a line end does not', async () => {
    const wrapped =
      'The service must accept every order that a customer sends during the hours of\noperation and store it. It should log.';
    expect(
      (await explicitRequirements(wrapped)).map(({ line, endLine, text }) => [
        line,
        endLine,
        text.length > 60,
      ]),
    ).toEqual([
      [1, 2, true],
      [2, 2, false],
    ]);
  });
});

const found = (text: string, line: number): Requirement => ({
  text,
  source: 'inferred',
  kind: 'own',
  strength: 'MAY',
  line,
  endLine: line,
  section: [],
});

describe('combineStrategies', () => {
  it('joins strategies, and says what two found once [D004-24]', async () => {
    const own = async (): Promise<Requirement[]> => [
      found('page loads fast', 1),
      found('Cookies are asked for', 1),
      found('Prints', 9),
    ];
    const extractor = new RequirementExtractor({ strategy: [explicitRequirements, own] });
    const texts = (await extractor.extract('The page must load fast')).map(({ text }) => text);
    expect(texts).toEqual(['The page must load fast', 'Cookies are asked for', 'Prints']);
  });

  it('a strategy that fails fails the extraction, and misuse is refused', async () => {
    const broken = combineStrategies(explicitRequirements, async () =>
      Promise.reject(new Error('no model')),
    );
    await expect(broken('- a')).rejects.toThrow('no model');
    expect(() => combineStrategies()).toThrow(/at least one function/);
    expect(() => new RequirementExtractor({ strategies: [] } as object)).toThrow(/strategies/);
  });
});
