import { describe, expect, it } from 'vitest';
import { explicitRequirements } from '@/blocks/requirements/explicit-requirements.js';
import { requirementsOfTask } from '@/blocks/requirements/rest-of-task.js';

const read = async (...lines: string[]): Promise<string[]> =>
  (await explicitRequirements(lines.join('\n'))).map(({ text }) => text);

const criteria = ['The cart shows its total', 'Guests can pay without an account'];
const notations: readonly (readonly [string, readonly string[]])[] = [
  ['bullets', criteria.map((text) => `- ${text}`)],
  ['boxes', criteria.map((text) => `- [ ] ${text}`)],
  ['numbers', criteria.map((text, at) => `${at + 1}. ${text}`)],
  ['letters', criteria.map((text, at) => `${'ab'[at]}) ${text}.`)],
  ['a table', ['| Criterion |', '|---|', ...criteria.map((text) => `| ${text} |`)]],
  [
    'a table with numbers',
    [
      '| # | Acceptance criterion | Done when |',
      '|---|---|---|',
      ...criteria.map((text, at) => `| ${at + 1} | ${text} | test green |`),
    ],
  ],
  ['bold paragraphs', criteria.flatMap((text) => [`**${text}**`, ''])],
  ['definitions', criteria.flatMap((text, at) => [`AC ${at + 1}`, `: ${text}`, ''])],
];

const nothing = [
  ['struck text with a note', '- ~~The cart can be shared~~ (dropped)'],
  ['a struck box', '- [ ] ~~The cart has gifts~~'],
  ['struck HTML', '- <del>The cart has gifts</del>'],
  ['a struck row', '| Criterion |\n|---|\n| ~~The cart has gifts~~ |'],
  ['a comment', '<!--\n- The cart must have gifts\n-->'],
  ['a line of contents', '2. Das System muss schnell sein ..... 5'],
  ['contents', '## Inhaltsverzeichnis\n\n- Das System muss schnell sein'],
  ['a table of contents', '## Table of contents\n\n1. [Rules](#rules)'],
  ['what is out of scope', '## Out of scope\n\n- Gifts\n- It MUST print'],
  ['Nicht-Ziele', '## Nicht-Ziele\n\n- Geschenke'],
  ['hors périmètre', '## Hors périmètre\n\n- Les cadeaux'],
  ['fuera de alcance', '## Fuera de alcance\n\n- Regalos'],
  ['what explains', '## Background\n\n- The old cart is slow'],
  ['a heading', '## The page\n\n### Gifts'],
  ['an example', 'For example:\n\n- a red cart'],
  ['code', '```js\n- must print\n```'],
  ['prose without a word that binds', 'The cart was slow. It has a blue frame.'],
];

const lookalikes = [
  '**name**: *string*',
  '- `age`: number, optional',
  '- **tags** (string[])',
  '- [Thread about tabs](https://example.org/1) by Mia',
  '- https://example.org/a',
  '- Closes #1187',
  '- Should the list be blue?',
  '- [Criterion 1]',
  '- TBD',
];

const headings = [
  'Results',
  'Review history',
  'Today',
  'Benefits',
  'Limitations',
  'Distribution',
  'Analysis',
  'Background',
  'Risks',
  'Hintergrund',
  'Contexte',
];

const sentencesAsHeadings = [
  'Images must have alt text',
  'Forms must have labels',
  'All pages should have rules',
];

const bindingSentences = [
  ['The page must load.', 'MUST'],
  ['Die Seite muss laden.', 'MUST'],
  ['La page doit se charger.', 'MUST'],
  ['La página debe cargarse.', 'MUST'],
  ['The page should load.', 'SHOULD'],
  ['Die Seite soll laden.', 'SHOULD'],
  ['La page devrait se charger.', 'SHOULD'],
  ['La página debería cargarse.', 'SHOULD'],
  ['Es darf keine Werbung erscheinen.', 'MUST'],
  ['系统必须记录每个请求。', 'MUST'],
];

const wholeSentences = [
  'Die Frist muss im 6. Monat enden und darf nicht wachsen.',
  'Der Preis muss z. B. in Euro stehen.',
  'Version 1.2.3 of app.ts must e.g. print 2.5 lines.',
  'Dr. Berg must see `a. B` at once.',
];

const unread = [
  'Make the button blue',
  'Add a button',
  'Write tests',
  'Use tabs',
  'Make the parser reject tabs.',
  '## Summary\n\nReject tabs in the parser.',
  '## Proposal\n\nReject tabs in the parser.',
  '# Prompt\n\nPaste this:\n\n```text\nYou write a page about tides. It must print.\n```',
  '> The page must print.',
];

const outcome = 'the file contains only the header';
const scenarios = [
  ['a list', `- **WHEN** no orders exist\n- **THEN** ${outcome}`],
  ['lines', `When no orders exist\nThen ${outcome}`],
  ['a feature', `Feature: Export\n\nScenario: Empty\n  When no orders exist\n  Then ${outcome}`],
  ['a fence', `\`\`\`gherkin\nWhen no orders exist\nThen ${outcome}\n\`\`\``],
  ['one item', `- When no orders exist, then ${outcome}`],
  ['German', `- Wenn no orders exist\n- Dann ${outcome}`],
  ['French', `- Quand no orders exist\n- Alors ${outcome}`],
  ['Spanish', `- Cuando no orders exist\n- Entonces ${outcome}`],
];

describe('one list of criteria', () => {
  it.each(notations)('is the same in %s [R3-063]', async (_, list) => {
    const headings = ['Acceptance criteria', 'Akzeptanzkriterien', "Critères d'acceptation"];
    for (const heading of headings) {
      const found = await explicitRequirements(
        ['# Cart', '', `## ${heading}`, '', ...list].join('\n'),
      );
      expect(found.map(({ text }) => text.replace(/\.$/, ''))).toEqual(criteria);
      expect(found.map(({ strength }) => strength)).toEqual(['MUST', 'MUST']);
      expect(found.map(({ section }) => section.at(-1))).toEqual([heading, heading]);
    }
  });
});

describe('what asks nothing', () => {
  it.each(nothing)('%s [R3-064, R3-066]', async (_, text) => {
    expect(await read(text)).toEqual([]);
  });

  it.each(lookalikes)('%s [R2-040]', async (text) => {
    for (const heading of ['Fields', 'Requirements', 'Discussion'])
      expect(await read(`## ${heading}`, '', text), heading).toEqual([]);
  });

  it('is left out of a text that is struck in part', async () => {
    expect(await read('- The limit is ~~5~~ 10 items')).toEqual(['The limit is 10 items']);
  });
});

describe('obligations', () => {
  const stated = ['The screen must show the total.', 'No price may be shown early.'];

  it.each(headings)('are read below "%s" [R2-031]', async (heading) => {
    expect(
      await read('# App', '', `## ${heading}`, '', ...stated.map((text) => `- ${text}`)),
    ).toEqual(stated);
    expect(await read('# App', '', `## ${heading}`, '', stated.join(' '))).toEqual(stated);
  });

  it.each(sentencesAsHeadings)(
    '"%s" is a requirement, and no heading "must have" [R2-032]',
    async (text) => {
      expect(await read(text)).toEqual([text]);
      expect(await read(`## ${text}`)).toEqual([text]);
      expect(await read(text, '', 'It was a long day.')).toEqual([text]);
    },
  );

  it.each(bindingSentences)('are read from running text: %s [R3-067]', async (text, strength) => {
    expect(await explicitRequirements(`# App\n\nThe shop is old. ${text}`)).toMatchObject([
      { text, strength, kind: 'statement', line: 3 },
    ]);
  });

  it.each(wholeSentences)('are split as people split them: %s [R3-067]', async (text) => {
    expect(await read(`It was cold. ${text} It was warm.`)).toEqual([text]);
  });
});

describe('a task that is not read', () => {
  it.each(unread)('is judged as a whole: %s [R2-001, R2-034, R2-038]', async (task) => {
    const found = await requirementsOfTask(task);
    expect(found).toMatchObject([{ kind: 'whole', strength: 'MUST' }]);
  });

  it('is judged beside what is read from it', async () => {
    const found = await requirementsOfTask('- The page must print\n\nUse tabs in it.\n');
    expect(found.map(({ kind }) => kind)).toEqual(['bullet', 'whole']);
  });
});

describe('lists', () => {
  const line = 'The app must handle these formats:';

  it('a line above a list stands for itself if nothing below it asks [R2-039]', async () => {
    expect(await read(line, '', '- [CSV](a)', '- [JSON](b)')).toEqual([line]);
    expect(await read(line, '-')).toEqual([line]);
    expect(await read(line, '', '```json', '{}', '```')).toEqual([line]);
    expect(await read('- Forms must have:', '  - [labels](a)')).toEqual(['Forms must have:']);
  });

  it('a line above a list gives its strength to the items [R2-039]', async () => {
    expect(await explicitRequirements(`${line}\n- CSV\n- JSON`)).toMatchObject([
      { text: 'CSV', strength: 'MUST', line: 2 },
      { text: 'JSON', strength: 'MUST', line: 3 },
    ]);
  });

  it('a name above items is a section, so that equal items stay', async () => {
    const text = '## Pages\n\n1. **Login**\n   - Error text\n2. **Sign up**\n   - Error text';
    expect(await explicitRequirements(text)).toMatchObject([
      { text: 'Error text', section: ['Pages', 'Login'], line: 4 },
      { text: 'Error text', section: ['Pages', 'Sign up'], line: 6 },
    ]);
  });

  it('labels and lines of their own are read as headings', async () => {
    expect(await read('**Out of scope**', '', '- Gifts', '', '**Scope**', '', '- Carts')).toEqual([
      'Carts',
    ]);
    expect(await read('Non-goals:', '', '- Gifts', '', 'It must print.')).toEqual([
      'It must print.',
    ]);
    expect(await read('- **Rationale:** carts are slow', '- **Size:** ten rows')).toEqual([
      '**Size:** ten rows',
    ]);
  });
});

describe('stories and scenarios', () => {
  it.each([
    'As a guest, I want to pay so that I can leave.',
    '**As a** guest,\n**I want** to pay\n**so that** I can leave',
    'Als Gast möchte ich bezahlen.',
    "En tant qu'invité, je veux payer.",
    'Como cliente quiero pagar.',
  ])('a story is one requirement: %s', async (text) => {
    expect(await read(`## Story\n\n${text}`)).toEqual([text.replaceAll('\n', ' ')]);
  });

  it.each(scenarios)('a step keeps its condition in %s [R3-065]', async (_, text) => {
    const found = await explicitRequirements(text);
    expect(found).toHaveLength(1);
    expect(found[0]?.text).toContain(outcome);
    expect(found[0]?.text).toContain('no orders exist');
  });
});

describe('tables', () => {
  it('a priority is the strength, and never makes a bound optional', async () => {
    const text = [
      '| ID | Feature | Priority |',
      '|---|---|---|',
      '| F1 | Print | Must |',
      '| F2 | Share | Could |',
      '| F3 | At most ten rows | Could |',
      "| F4 | Gifts | Won't |",
    ].join('\n');
    expect(
      (await explicitRequirements(text)).map(({ text: said, strength }) => [said, strength]),
    ).toEqual([
      ['Print', 'MUST'],
      ['Share', 'MAY'],
      ['At most ten rows', 'SHOULD'],
    ]);
  });

  it('of another kind gives only the rows that bind', async () => {
    const rows = ['| a | It is blue |', '| b | It must be blue |'];
    expect(await read('| Name | Text |', '|---|---|', ...rows)).toEqual(['b | It must be blue']);
  });
});
