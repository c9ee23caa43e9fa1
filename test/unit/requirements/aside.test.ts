import { describe, expect, it } from 'vitest';
import { isAside } from '../../../src/requirements/aside.js';
import { explicitRequirements } from '../../../src/requirements/explicit-requirements.js';

const read = async (text: string): Promise<string[]> =>
  (await explicitRequirements(text)).map((requirement) => requirement.text);

describe('a sentence about something else', () => {
  it.each([
    'The old site was made by a friend.',
    'We tried a hosted queue last year.',
    'Currently the page reloads.',
    'The old program can only print.',
    'Librarians told us that they must type every title.',
    'It must have cost us many customers.',
    'Operators should be aware that the report is public.',
    'You should not look at the solutions.',
    'You must try the new bread.',
    'If you want to test it, you must join the group.',
    'Everybody should bring one idea.',
    'Mr. Brandt must be invited.',
    'The tutors should answer within a day.',
    'Please comment until Friday.',
    'Fewer dead plants within three months.',
    '20 % of the users open the app every week.',
    'This document describes the pump.',
    'I think the green is dark.',
    'Whether prices are part of it.',
    'The client pays within 30 days.',
  ])('%s', (text) => {
    expect(isAside(text)).toBe(true);
  });

  it('takes the sentence after it along, if it begins with a pronoun', async () => {
    const text =
      '## Checkout\n\nThe old one was slow. Their dialogs confuse people. Prices are shown.';
    expect(await read(text)).toEqual(['Prices are shown.']);
  });

  it('is also one about a person that the document names', async () => {
    const text = 'Owner: Priya\n\n## Export\n\nPriya has the key. The export has a header row.';
    expect(await read(text)).toEqual(['The export has a header row.']);
  });
});

describe('a sentence about the result', () => {
  it.each([
    'A label that was printed twice carries the word COPY.',
    'If the file was moved, the link is removed.',
    'Users must repeat the password.',
    'The report must be sent by Friday.',
    'The old tokens must be revoked.',
    'Developers must be able to log in.',
    'We need a page with our breads.',
    'We will keep jobs in a table.',
    'No more than 5 words.',
    'The year of the last change is shown.',
    'With the option --seed the same sheet is printed.',
    'It is ours, so please do not change it.',
    'You may not use libraries.',
  ])('%s', (text) => {
    expect(isAside(text)).toBe(false);
  });
});

describe('what asks without a word that obliges', () => {
  it.each([
    ['a wish', 'It would be great if it printed.', 'SHOULD'],
    ['a wish with a word of its own', 'Ideally the list is sorted by room.', 'SHOULD'],
    ['an option', 'A map would be nice to have.', 'MAY'],
  ])('%s', async (_, text, strength) => {
    expect(await explicitRequirements(`# App\n\n${text}`)).toMatchObject([{ text, strength }]);
  });

  it('a statement below a heading that names a part, and not below the title alone', async () => {
    const text = 'Fog hides everything outside of the light.';
    expect(await read(`# Lake\n\n## The world\n\n${text}`)).toEqual([text]);
    expect(await read(`# Lake\n\n${text}`)).toEqual([]);
    expect(await read(`# Lake\n\nUse one font. The title is red.`)).toEqual([
      'Use one font.',
      'The title is red.',
    ]);
  });

  it('a decision below a heading for decisions', async () => {
    const text = 'We store all times in UTC.';
    expect(await read(`# ADR\n\n## Decision\n\n${text}`)).toEqual([text]);
    expect(await read(`# ADR\n\n## Context\n\n${text}`)).toEqual([]);
    expect(await read(`# ADR\n\n## Servers\n\n${text}`)).toEqual([]);
  });

  it('a question that asks for work', async () => {
    expect(await read('Can we also move the bank details?')).toEqual([
      'Can we also move the bank details?',
    ]);
    expect(await read('Could you tell me what it will cost?')).toEqual([]);
  });

  it('a row of a table of cases, and a row that says what something does', async () => {
    const cases = '| event | sent when |\n|---|---|\n| basket.created | an item is added |';
    expect(await read(cases)).toEqual(['basket.created | an item is added']);
    const paths = '| path | notes |\n|---|---|\n| /a | x |\n\n| path | text |\n|---|---|\n';
    expect(await read(`${paths}| /b | returns the list |`)).toEqual(['/b | returns the list']);
    expect(await read('| criterion | points |\n|---|---|\n| style | 20 |')).toEqual([]);
  });
});

describe('documents without Markdown', () => {
  it('reads lines with "(a)" and "2.1" as items', async () => {
    const text =
      'PUMP\n\n2 Operation\n\n2.1 The pump starts at 5 °C.\n(a) A lamp shows the state.\n';
    expect(await read(text)).toEqual([
      '2.1 The pump starts at 5 °C.',
      '(a) A lamp shows the state.',
    ]);
  });

  it('a short line begins a section', async () => {
    const text = 'Ticket\n\nExpected\n\nEscape closes it.\n\nActual\n\nSilence fills the room.\n';
    expect(await read(text)).toEqual(['Escape closes it.']);
    const numbered =
      'Kiosk\n\n1. Initial situation\n\nTickets are sold by hand.\n\n2. Functions\n\n';
    expect(await read(`${numbered}The kiosk prints tickets.\n`)).toEqual([
      'The kiosk prints tickets.',
    ]);
  });

  it('the author of a message begins a section, in a chat and in a thread', async () => {
    expect(await read('Lena 9:02\nNo logos in colour, please.\n\nOmar 9:05\nok\n')).toEqual([
      'No logos in colour, please.',
    ]);
    const thread = '**Context**\n\nIt is slow.\n\n> **mia** commented\n>\n> 1. no new dependency\n';
    expect(await read(thread)).toEqual(['no new dependency']);
    expect(await read('> The page must be blue.')).toEqual([]);
  });
});
