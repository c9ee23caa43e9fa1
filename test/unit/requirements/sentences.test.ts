import { describe, expect, it } from 'vitest';
import { isAside } from '@/requirements/aside.js';
import { isAction, isCommand, isDecision, isUse } from '@/requirements/demand.js';
import { explicitRequirements } from '@/requirements/explicit-requirements.js';
import { isQuestion } from '@/requirements/noise.js';
import { isKeyWordNotice } from '@/requirements/obligation.js';
import { readFromProse } from '@/requirements/read-from-prose.js';
import { sectionKind } from '@/requirements/sections.js';
import { extracted, found, texts } from './support.js';

const stated = ['# Harbour', '', '## Requirements', '', '- A berth has a number', ''];
const [, , , , kept = ''] = stated.map((line) => line.replace('- ', ''));
const title = ['# Tide tables', '', '## Requirements', '', '- Show the tides', ''];

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
    'The list of moons is deferred to a later release.',
    'Colours are not defined yet.',
    'Detailed rules live in `docs/rules.md`.',
    'This should be a small change.',
    'Here’s the same list after the change.',
    'The judges will run the app.',
    'When in doubt, decide yourself.',
    // about other things
    'Testing has shown that tides vary.',
    'As with any chart, tides are rough.',
    'While there are many moons, one counts.',
    'If anything is unclear, make an assumption.',
    'Read my notes on tides.',
    'Empower sailors to read tides.',
    // about the person who builds
    'You must work alone.',
    'You have to submit the link by mail.',
    'You should look at the harbour first.',
    'When you are ready, send us the link.',
    'You have been asked to help a harbour.',
    // about today
    'The current form lacks a field for the harbour.',
    'Two requests are creating wrong bookings.',
    'Sailors have reported that the chart is wrong.',
    'During a recent storm the page was slow.',
    'Historically, tides come from a table.',
  ])('%s', (text) => {
    expect(isAside(text)).toBe(true);
  });

  it('takes the sentence after it along, if it begins with a pronoun', async () => {
    const text =
      '## Checkout\n\nThe old one was slow. Their dialogs confuse people. Prices are shown.';
    expect(await texts(text)).toEqual(['Prices are shown.']);
  });

  it('is also one about a person that the document names', async () => {
    const text = 'Owner: Priya\n\n## Export\n\nPriya has the key. The export has a header row.';
    expect(await texts(text)).toEqual(['The export has a header row.']);
  });

  it('says how a part is today and how it shall be', () => {
    expect(isAside('The count currently shown above the list should move below it')).toBe(false);
    expect(isAside('The count is currently shown above the list')).toBe(true);
  });

  it('"My account" is a part, and "my idea" is not', () => {
    expect(isAside('My account shows all harbours')).toBe(false);
    expect(isAside('My idea came at sea')).toBe(true);
  });
});

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
])('a sentence about the result: %s', (text) => {
  expect(isAside(text)).toBe(false);
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
    expect(await texts(`# Lake\n\n## The world\n\n${text}`)).toEqual([text]);
    expect(await texts(`# Lake\n\n${text}`)).toEqual([]);
    expect(await texts(`# Lake\n\nUse one font. The title is red.`)).toEqual([
      'Use one font.',
      'The title is red.',
    ]);
  });

  it('a decision below a heading for decisions', async () => {
    const text = 'We store all times in UTC.';
    expect(await texts(`# ADR\n\n## Decision\n\n${text}`)).toEqual([text]);
    expect(await texts(`# ADR\n\n## Context\n\n${text}`)).toEqual([]);
    expect(await texts(`# ADR\n\n## Servers\n\n${text}`)).toEqual([]);
  });

  it('a question that asks for work', async () => {
    expect(await texts('Can we also move the bank details?')).toEqual([
      'Can we also move the bank details?',
    ]);
    expect(await texts('Could you tell me what it will cost?')).toEqual([]);
  });

  it('a row of a table of cases, and a row that says what something does', async () => {
    const cases = '| event | sent when |\n|---|---|\n| basket.created | an item is added |';
    expect(await texts(cases)).toEqual(['basket.created | an item is added']);
    const paths = '| path | notes |\n|---|---|\n| /a | x |\n\n| path | text |\n|---|---|\n';
    expect(await texts(`${paths}| /b | returns the list |`)).toEqual(['/b | returns the list']);
    expect(await texts('| criterion | points |\n|---|---|\n| style | 20 |')).toEqual([]);
  });
});

describe('documents without Markdown', () => {
  it('reads lines with "(a)" and "2.1" as items', async () => {
    const text =
      'PUMP\n\n2 Operation\n\n2.1 The pump starts at 5 °C.\n(a) A lamp shows the state.\n';
    expect(await texts(text)).toEqual([
      '2.1 The pump starts at 5 °C.',
      '(a) A lamp shows the state.',
    ]);
  });

  it('a short line begins a section', async () => {
    const text = 'Ticket\n\nExpected\n\nEscape closes it.\n\nActual\n\nSilence fills the room.\n';
    expect(await texts(text)).toEqual(['Escape closes it.']);
    const numbered =
      'Kiosk\n\n1. Initial situation\n\nTickets are sold by hand.\n\n2. Functions\n\n';
    expect(await texts(`${numbered}The kiosk prints tickets.\n`)).toEqual([
      'The kiosk prints tickets.',
    ]);
  });

  it('the author of a message begins a section, in a chat and in a thread', async () => {
    expect(await texts('Lena 9:02\nNo logos in colour, please.\n\nOmar 9:05\nok\n')).toEqual([
      'No logos in colour, please.',
    ]);
    const thread = '**Context**\n\nIt is slow.\n\n> **mia** commented\n>\n> 1. no new dependency\n';
    expect(await texts(thread)).toEqual(['no new dependency']);
    expect(await texts('> The page must be blue.')).toEqual([]);
  });
});

describe('an introduction', () => {
  it('says what code does, what the product does and what users do', async () => {
    for (const said of [
      '`Tide.read` returns the height of the water.',
      'Marea shows the tides of a day.',
      'The user selects a harbour; the app lists its tides.',
      'At a minimum, the system is designed to warn of storms.',
    ]) {
      const lines = ['# Gauges', '', '## Summary', '', 'Marea is a calendar.', '', said];
      expect(await found(...lines), said).toContain(said);
    }
    expect(isUse('Customers save without a plan')).toBe(false);
  });

  it('a goal after its label says what to do, and may only name the work', async () => {
    const goal = '**Minimum goal**: To predict the tide of the next day.';
    const work = '**Main goal**: To build an app.';
    expect(await found('# Tides', '', '## Goals', '', goal, '', work)).toEqual([goal]);
  });

  it('an item says what can be done with a part', async () => {
    const items = ['- Lists can be saved', '- It can be late'];
    const rest = ['', '## Requirements', '', '- Tides are sorted'];
    expect(await found('# Tides', '', '## Overview', '', ...items, ...rest)).toEqual([
      items[0],
      '- Tides are sorted',
    ]);
  });

  it('of a short text with one heading is the text itself', async () => {
    const said = 'A gauge sends its height every hour to the server.';
    expect(await found('## System overview', '', said)).toEqual([said]);
  });

  it('asks where it says what the product does', async () => {
    const text = 'The app lists the berths of a harbour.';
    expect(await texts([...stated, '## Overview', '', text])).toEqual([kept, text]);
  });

  it('does not where it only says what for', async () => {
    const text = 'Checks the tides to ensure users can plan.';
    expect(await texts([...stated, '## Purpose', '', text])).toEqual([kept]);
  });
});

describe('a document that talks to its reader', () => {
  const talk =
    'You get a harbour. You know boats. Your boat floats, and you like that you have it.';
  const fact = 'Boats of this class carry a sail of cotton.';

  it('tells what exists by its plain statements', async () => {
    expect(await texts(['# Boats', '', '## Start', '', talk, '', fact])).toEqual([]);
    expect(await texts(['# Boats', '', '## Start', '', fact])).toEqual([fact]);
  });

  it('asks by commands, obligations and what the product does', async () => {
    const asks = ['Add a mast to each boat.', 'Each boat must float.', 'The page shows all boats.'];
    expect(await texts(['# Boats', '', '## Start', '', talk, '', asks.join(' ')])).toEqual(asks);
  });

  it('asks by its plain statements where it names the design', async () => {
    expect(await texts(['# Boats', '', '## Start', '', talk, '', '## Design', '', fact])).toEqual([
      fact,
    ]);
  });
});

describe('"you"', () => {
  it.each([
    'You will implement pipes for the log.',
    'In this assignment, you will add `tide` to the map.',
    'You’ll write a program that reads the tides.',
  ])('"%s" is a demand', async (text) => {
    expect(await texts(['# Task', '', '## Part 1', '', text])).toEqual([text]);
  });

  it.each([
    'You will write a small program in Python.',
    'You will review an old harbour plan with many faults.',
    'Explain what you would do with more time.',
    'Be ready to show what you built.',
  ])('"%s" is none', async (text) => {
    expect(await texts([...stated, '## Part 1', '', text])).toEqual([kept]);
  });
});

describe('a sentence', () => {
  it('does not end at a line that goes on', async () => {
    const lines = ['A boat gets a berth of the', 'Harbour North (see', 'Map 4) if it is free.'];
    expect(await texts(['# Harbour', '', '## Berths', '', ...lines])).toEqual([lines.join(' ')]);
  });

  it('does not end inside of code', async () => {
    const text = 'The service SHALL return `{ name, berth? }` and the tide.';
    expect(await texts(['# Harbour', '', text])).toEqual([text]);
  });

  it.each([
    'It should be possible to hide the chart.',
    'What is very important is to keep the colours.',
    'We can print charts, but I want to be able to print lists.',
    'Please note that this must not be a shop.',
    'To help sailors, allow them to print the chart.',
    'The goal is to find all tides that two piers share.',
    'Request to add a chart to the list.',
  ])('asks: %s', async (sentence) => {
    expect(await texts('# Tides', '', sentence)).toEqual([sentence]);
  });

  it('of one author says what is decided, below a heading', async () => {
    const sentence = 'I will be creating a chart which shows all tides.';
    expect(await texts('# Tides', '', '## Approach', '', sentence)).toEqual([sentence]);
  });

  it('about keywords of the product asks; one about key words of RFC 2119 does not', async () => {
    const item = 'Allow sailors to choose keywords that filter the list';
    const notice = 'The key words MUST and SHOULD are to be interpreted as in RFC 2119.';
    expect(await texts('## Features', '', `- ${item}`, '', notice)).toEqual([item]);
  });

  it('that names the work by its goal asks nothing', async () => {
    expect(
      await texts('The goal of this task is to build a small chart.', '', '- No tables'),
    ).toEqual(['No tables']);
  });

  it('goes on in a line that looks like a label', async () => {
    expect(
      await texts('Please cover the following', 'to help us with your solution:', '1) Why blue?'),
    ).toEqual(['Why blue?']);
  });
});

describe('what a document says of other texts', () => {
  it.each([
    'Dependencies on previous stories',
    'Risks of the change',
    'Biggest risk to resolve first',
    'Segments (examples)',
    'Segments (e.g.)',
    'Growth features (post-MVP)',
    'Codebase',
  ])('explains below %s', async (heading) => {
    const items = ['- **Story 3.1:** The server of the piers', '- **Story 2.2:** The store'];
    expect(await extracted(...title, `## ${heading}`, '', ...items)).toEqual(['Show the tides']);
  });

  it('names documents below a heading for references', () => {
    expect(sectionKind('Referenced ADRs')).toBe('unclear');
    expect(sectionKind('Relevant documents')).toBe('unclear');
    expect(sectionKind('Relevant tides')).toBe('open');
  });

  it.each([
    'Two files are attached as the source:',
    'The interface is defined as:',
    'A chart could include:',
  ])('is above a list that asks nothing: %s', async (lead) => {
    const items = ['- TIDES.md - what the tides do', '- PIERS.md - where the piers are'];
    expect(await extracted(...title, lead, '', ...items)).toEqual(['Show the tides']);
  });

  it.each([
    '- [x] I searched for other open issues',
    'Not applicable for this service.',
    'No specific guidance found in the docs.',
    'Explicitly **not** in the MVP: tides of rivers.',
    '*Dask* is a commonly used framework for tables.',
    'It claims to have all of the functions.',
    'You should run `tides --help` to see a list of options.',
    '**Why not tables?** They are in the published page. Removing them is a breaking change.',
    '**Action:** He opens the form. He enters the tide, and the page shows the next one.',
    'As an example, here is a part of the table.',
    'This kind of table often shows tides.',
    'A skeleton project has been provided on the server.',
    '- Code: 50% (of which tests are worth 10%)',
  ])('is no requirement: %s', async (line) => {
    expect(await extracted(...title, line)).toEqual(['Show the tides']);
  });
});

describe('a sentence about people and benefits', () => {
  it.each([
    'Many users prefer a dark page in the evening.',
    'Providing a switch improves the comfort of the crew.',
    'Show me the drawer of the harbour page.',
  ])('asks nothing: %s', async (sentence) => {
    expect(await extracted(...title, `- ${sentence}`)).toEqual(['Show the tides']);
  });

  it.each(['Many users can log in at once.', 'Providing a chart is possible in each view.'])(
    'is not confused with a requirement: %s',
    async (sentence) => {
      expect(await extracted(...title, `- ${sentence}`)).toEqual(['Show the tides', sentence]);
    },
  );
});

describe('requirements from plain sentences', () => {
  const prose = 'The page opens at once. It shows the tides. The owner changes the prices herself.';

  it('are counted if they are a third of all', async () => {
    expect(readFromProse(await explicitRequirements(`## Features\n\n${prose}`))).toBe(3);
  });

  it('are not counted beside many that a list states', async () => {
    const list = Array.from({ length: 9 }, (_, index) => `- Show pier ${index}`).join('\n');
    expect(readFromProse(await explicitRequirements(`## Features\n\n${prose}\n\n${list}`))).toBe(0);
  });

  it('are none that say must or command', async () => {
    const text = 'The page must load fast. Show the tides. The list must be short.';
    expect(readFromProse(await explicitRequirements(text))).toBe(0);
  });
});

describe('sentences that look like headings', () => {
  it.each(['Images must have alt text', 'Forms must have labels', 'All pages should have rules'])(
    '"%s" is a requirement, and not a heading "must have" [R2-032]',
    async (text) => {
      expect(await texts(text)).toEqual([text]);
      expect(await texts(`${text}\n\nIt was a long day.`)).toEqual([text]);
    },
  );

  it('a heading that binds the result asks if nothing below it does', async () => {
    expect(await texts('# Images must have alt texts\n\nWhy? Because.\n\n# Other')).toEqual([
      'Images must have alt texts',
    ]);
    expect(await texts('# The page must be fast\n\nIt must load within 2 s.')).toEqual([
      'It must load within 2 s.',
    ]);
  });
});

describe('short imperatives', () => {
  it.each([
    'Make the button blue',
    'Add a button',
    'Write tests',
    'Use tabs',
    'Make the parser reject tabs.',
    'Center the title.',
    'Please turn off the animation',
    'Can you make the header sticky?',
    'In the footer, show the address.',
    'No cookies, no tracking.',
    'At most 200 words.',
    'I want the button to be green.',
    'You may not use libraries.',
    'Returns the list of orders.',
  ])('"%s" asks [R2-034]', async (text) => {
    expect(await texts(text)).toEqual([text]);
    expect(await texts(`Good morning! ${text}`)).toEqual([text]);
  });

  it.each([
    'Use of tabs is rare.',
    'No idea what happened.',
    'Let me know when you are done!',
    'I like the structure.',
    'No error is shown in the log.',
  ])('"%s" does not', async (text) => {
    expect(await texts(text)).toEqual([]);
  });

  it.each(['Write an article about tea.', 'Build the home page', 'We need a shop for flowers.'])(
    '"%s" only names the work',
    async (text) => {
      expect(await texts(text)).toEqual([]);
      expect(await texts(`**Deadline**: 3 June\n\n${text}`)).toEqual([]);
    },
  );
});

const lookalikes = [
  '**name**: *string*',
  '- `age`: number, optional',
  '- **tags** (string[])',
  '- [Thread about tabs](https://example.org/1) by Mia',
  '- See #12',
  '- Discussed in [the forum](https://example.org/2)',
  '- Should the list be blue?',
];

it.each(lookalikes)('what only looks like a requirement: %s [R2-040]', async (text) => {
  for (const heading of ['Fields', 'Requirements', 'Discussion'])
    expect(await texts(`## ${heading}\n\n${text}`), heading).toEqual([]);
});

it.each([
  ['Handle errors (what if the tide is unknown?)', false],
  ['What is timed (and why?)', true],
  ['(Why?)', true],
  ['Is there a harbour?', true],
])('a question mark: %s', (text, question) => {
  expect(isQuestion(text)).toBe(question);
});

it.each([
  ['The key words "MUST" and "MAY" are to be read as in RFC 2119.', true],
  ['The key words MUST and MAY are to be interpreted as usual.', true],
  ['The search SHALL say "No results" and suggest other keywords.', false],
])('a notice about key words: %s', (text, notice) => {
  expect(isKeyWordNotice(text)).toBe(notice);
});

describe('sentences about other things', () => {
  it('a line that ends in "like the following" leads to examples', async () => {
    const lead = 'The page will print names like the following:';
    expect(await found('# Tides', '', '## Names', '', lead, '', '- North: `N1`')).toEqual([lead]);
  });

  it('a proposal that replaces or removes something decides', () => {
    expect(isDecision('This proposal replaces the table with a chart.')).toBe(true);
    expect(isDecision('This proposal introduces a chart.')).toBe(false);
  });

  it('"You are to" begins a command', () => {
    expect(isCommand('You are to write a program for tides.')).toBe(true);
    expect(isCommand('You are to blame for tides.')).toBe(false);
  });
});

describe('a sentence to the person who builds', () => {
  it.each([
    'You must use the existing table of tides.',
    'You need to work within the present layout.',
    'You are required to log every refusal.',
    'You should add a test for each tide.',
  ])('%s', async (text) => {
    expect(await found('# Tides', '', text)).toEqual([text]);
  });
});

describe('a sentence about today', () => {
  it('is none if only a clause of it is', () => {
    expect(isAside('The user can remove a chart that is currently in the list.')).toBe(false);
    expect(isAside('The list shows recent tides.')).toBe(false);
  });
});

it('a sentence without a verb is no requirement in running text below a heading, without a full stop', async () => {
  const asks = 'The chart opens with the tide of today';
  expect(
    await found('# Harbour', '', '## Chart', '', 'A calm map of the whole bay', '', asks),
  ).toEqual([asks]);
});

it('a wish after a sentence about today is one', async () => {
  const text = 'Today the page shows one tide. It would be nice if it showed two.';
  const read = await explicitRequirements(['# Tide', '', text].join('\n'));
  expect(read.map((one) => one.text)).toEqual(['It would be nice if it showed two.']);
});

describe('the work of people', () => {
  it('is to run a command to check, below any heading', async () => {
    const text = ['# Tides', '', '## Tasks', '', '- Run `tide list` to verify the order'];
    expect(await found(...text, '- Add a list of tides')).toEqual(['- Add a list of tides']);
  });

  it('is a step of a numbered task that only checks', async () => {
    const steps = ['- Confirm the list is sorted', '- Write a test for each gauge'];
    const text = ['# Tides', '', '## Tasks', '', '### Task 3: Verify the list', '', ...steps];
    expect(await found(...text)).toEqual([steps[1]]);
    const built = text.with(4, '### Task 3: Build the list');
    expect(await found(...built)).toEqual(steps);
  });

  it('is such a step below a box, too', async () => {
    const steps = ['  - [ ] Validate the order', '  - [ ] Add a gauge for storms'];
    const box = '- [ ] **Step 2 - Final checks**';
    expect(await found('# Tides', '', '## Tasks', '', box, ...steps)).not.toContain(steps[0]);
    expect(await found('# Tides', '', '## Tasks', '', box, ...steps)).toContain(steps[1]);
  });

  it('is a manual test, and what not to send', async () => {
    const text = ['# Tides', '', '**Manual testing required:**', '', '1. Open the list of tides'];
    expect(await found(...text)).toEqual([]);
    const sent = [
      '# Tides',
      '',
      '## Rules',
      '',
      '- Do not open a pull request until a reader agrees',
    ];
    expect(await found(...sent)).toEqual([]);
  });
});

describe('what exists or is not needed', () => {
  it('asks nothing', async () => {
    for (const said of [
      'A working prototype for gauges exists.',
      'A complete example lives at `docs/tides.json`.',
      'No data models required for this part - it only draws.',
      'No UI parts required - this is a service.',
    ])
      expect(await found('# Tides', '', '## Gauges', '', said, '', 'Tides are sorted.')).toEqual([
        'Tides are sorted.',
      ]);
    expect(await found('# Tides', '', '## Rules', '', 'No login is required for lists.')).toEqual([
      'No login is required for lists.',
    ]);
  });

  it('does not include what counts as done, although it says "considered"', async () => {
    const items = ['1. Tides are sorted', '2. Storms are shown'];
    const text = [
      '# Tides',
      '',
      '## Success criteria',
      '',
      '**The list considered done when:**',
      '',
    ];
    expect(await found(...text, ...items)).toEqual(items);
  });

  it('asks nothing below its heading, either', async () => {
    const items = ['- A list for the moon and storms', '- `tide`, `moon` for sailors'];
    for (const heading of ['Existing tools used by gauges', 'Completed requests'])
      expect(await found('# Tides', '', `## ${heading}`, '', ...items), heading).toEqual([]);
    expect(await found('# Tides', '', '## New tools', '', ...items)).toEqual(items);
    const asks = '- `zone = "UTC"` and `days = 7`.';
    expect(await found('# Tides', '', '## What goes in the settings file', '', asks)).toEqual([
      asks,
    ]);
  });
});

describe('what is', () => {
  it('is not what has to be: what users often have to do', async () => {
    expect(
      await found(['Planners often have to call five people. The planner must see who is free.']),
    ).toHaveLength(1);
    expect(await found(['Planners often have to call five people.'])).toEqual([]);
    expect(await found(['**Core problem**: planners need to call five people.'])).toEqual([]);
  });

  it('a story that a template leaves open is none', async () => {
    expect(
      await found(['## User story\n\n1. As a {}\n2. I want / need {}\n3. So that {reason}']),
    ).toEqual([]);
  });
});

describe('plain text', () => {
  it('names a part that is wanted', async () => {
    for (const said of ['A button that hides the moons', 'The ability to sort by height'])
      expect(await found('# Tides', '', '## Proposed solution', '', said)).toEqual([said]);
  });

  it('below a table of HTML on one line is read', async () => {
    const said = 'The list must be sorted.';
    const table = '<table><tr><td>Ebb</td></tr></table>';
    expect(await found('# Tides', '', table, '## Rules', said)).toEqual([said]);
  });
});

describe('what the reader shall do', () => {
  it.each([
    'For this project, you will write a class that counts boats.',
    'Your only job today is to produce a list of lamps with their age.',
  ])('asks: %s', async (text) => {
    expect(await texts('# Harbour', '', text)).toEqual([text]);
  });

  it('is a proposal also above code', async () => {
    const text = 'We propose to read `.lamp` by default so that code looks like this:';
    expect(await texts('## Design', '', text, '', '```js', 'lamp();', '```')).toEqual([text]);
  });
});

describe('a command', () => {
  it.each(['Interpolate the tides of a day', 'Anchor each chart at its harbour', 'Clone `chart`'])(
    'is known by its form, whatever its verb is: %s',
    (text) => {
      expect(isCommand(text)).toBe(true);
    },
  );

  it.each(['During the day', 'Yesterday the gate', 'Charts an hour', 'CEO the first', 'Sailing a'])(
    'has a verb in the base form: %s',
    (text) => {
      expect(isCommand(text)).toBe(false);
    },
  );

  it('may be a proposal of its author', () => {
    expect(isDecision('I propose that we add a chart of winds.')).toBe(true);
    expect(isDecision('We would print a warning for each storm.')).toBe(true);
    expect(isDecision('We should talk again in May.')).toBe(false);
  });

  it('a text that begins with what the result does needs no article, a cell does', () => {
    expect(isAction('Keeps former bookings in place')).toBe(true);
    expect(isAction('Tests of the gate')).toBe(false);
    expect(isAction('Renders charts', 'cell')).toBe(false);
    expect(isAction('Renders the chart', 'cell')).toBe(true);
  });
});

it('a callout is read, since its author says it', async () => {
  expect(
    await found(
      '## Work\n\n> [!IMPORTANT]\n> Do not change the tide table.\n',
      '> **Important:** You must keep the old addresses.\n',
      '> You must have seen this harbour!',
    ),
  ).toEqual([
    '> Do not change the tide table.',
    '> **Important:** You must keep the old addresses.',
  ]);
});
