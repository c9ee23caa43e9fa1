import { describe, expect, it } from 'vitest';
import { explicitRequirements } from '@/requirements/explicit-requirements.js';
import { sentencesOf } from '@/requirements/sentences.js';
import { extracted, found, texts } from './support.js';

const lamps = 'Lamps for the pier';

describe('lists of commands', () => {
  const stated = ['# Shop', '', '## Requirements', '', '- The cart keeps its content', ''];

  it('an item between commands is one, although its words could be a name', async () => {
    const list = [
      '- Add a menu to the header',
      '- Support arrow keys',
      '- Keep the focus in the menu',
    ];
    expect(await found([...stated, '## Phase 1: Menu', '', ...list])).toEqual([
      '- The cart keeps its content',
      ...list,
    ]);
  });

  it('one command among names makes no list of commands, and a list below is one of its own', async () => {
    const names = [
      '- Arrow keys',
      '- Add a menu to the header',
      '- Colours',
      '  - Red roses',
      '  - Blue violets',
    ];
    expect(await found([...stated, '## Words', '', ...names])).toEqual([
      '- The cart keeps its content',
      '- Add a menu to the header',
    ]);
  });

  it('a label names a part, and the words after it say what it is', async () => {
    const list = [
      '- **Packages**: Build both of them',
      '- **Colours:** Red roses',
      '- **Album**: a set of photos',
    ];
    expect(await found([...stated, '## Words', '', ...list])).toEqual([
      '- The cart keeps its content',
      ...list.slice(0, 2),
    ]);
  });

  it('pictures before the words do not count', async () => {
    const list = ['- ❌ NEVER delete user files', '- ✅ Always ask before an update'];
    expect(await found([...stated, '## Words', '', ...list])).toEqual([
      '- The cart keeps its content',
      ...list,
    ]);
  });
});

describe('a line above a list', () => {
  const title = ['# Tide tables', '', '## Requirements', ''];

  it.each([
    'The service must store each change in one transaction with:',
    'At the end, the visitor must submit a short survey:',
    'The system SHALL provide the command `tides verify` which:',
    'Each change SHALL be recorded in the table `changes`:',
  ])('asks itself if it has an object: %s', async (line) => {
    expect(await extracted(...title, line, '', '- The time', '- The pier')).toEqual([
      line,
      'The time',
      'The pier',
    ]);
  });

  it.each(['The page must show:', 'The page must include all of the following items:'])(
    'only announces its parts: %s',
    async (line) => {
      expect(await extracted(...title, line, '', '- The time', '- The pier')).toEqual([
        'The time',
        'The pier',
      ]);
    },
  );

  it('asks as the outcome of a scenario, with its parts', async () => {
    const steps = [
      '- **Given** a visitor changes a tide,',
      '  **Then** the system must write an immutable record with:',
      '  - The name of the visitor',
      '  - The old height',
    ];
    const texts = await extracted('# Tides', '', '## Acceptance criteria', '', ...steps);
    expect(texts).toHaveLength(3);
    expect(texts[0]).toContain('must write an immutable record');
  });

  it('that a reader needs to make asks with its items', async () => {
    const lead = 'Here is the list of changes you need to make to achieve this:';
    const items = ['Load the tides from the server', 'Replace the old list'];
    const list = items.map((item, index) => `${index + 1}. ${item}`);
    expect(await extracted('# Tides', '', '## Introduction', '', lead, '', ...list)).toEqual(items);
  });

  it('that only tells of people hides no duty below it', async () => {
    const lead = 'For the implementation we need two more steps:';
    const duty = 'The `Tides` loop must be aware of the pier.';
    const below = async (heading: string) =>
      extracted(...title, heading, '', lead, '', `- ${duty}`);
    expect(await below('## Scheduling')).toContain(duty);
    expect(await below('## Background')).not.toContain(duty);
  });

  it('that names duties counts below a heading that explains', async () => {
    const items = ['- Runs every case', '- Report: the rate of each case'];
    const below = async (label: string) =>
      extracted('# Tides', '', '## Context', '', label, ...items);
    expect(await below('Required:')).toEqual(['Runs every case', 'Report: the rate of each case']);
    expect(await below('Goals:')).toEqual([]);
  });

  it('says only what its list is', async () => {
    const said = 'The free list stays free.';
    const lines = ['A later version may include:', '', '- moons', '', said];
    expect(await found('# Tides', '', '## Prices', '', ...lines)).toEqual([said]);
  });

  it('with one verb commands the items', async () => {
    const items = ['- heavy shadows', '- loud colours'];
    const read = await explicitRequirements(
      ['# Tides', '', '## Looks', '', 'Avoid:', ...items].join('\n'),
    );
    expect(read.map(({ text }) => text)).toEqual(['Avoid: heavy shadows', 'Avoid: loud colours']);
  });

  it('that names a list makes its names requirements, but not in a description', async () => {
    const items = ['- open', '- closed'];
    const lines = ['Possible states:', '', ...items];
    const rest = ['', '## Requirements', '', '- Tides are sorted'];
    expect(await found('# Tides', '', '## Harbour', '', ...lines, ...rest)).toEqual([
      ...items,
      '- Tides are sorted',
    ]);
    expect(await found('# Tides', '', '## Status', '', ...lines)).toEqual([]);
  });

  it('says what is included and what is not', async () => {
    const [kept, left] = ['- a list of tides', '- a list of moons'];
    for (const [yes, no] of [
      ['Included:', 'Not included:'],
      ['**In** (for now):', '**Out** (on purpose):'],
    ]) {
      const lines = [yes ?? '', '', kept, '', no ?? '', '', left];
      expect(await found('# Tides', '', '## Boundaries', '', ...lines), yes).toEqual([kept]);
    }
  });

  const line = 'The app must handle these formats:';

  it('stands for itself if nothing below it asks [R2-039]', async () => {
    expect(await texts(`${line}\n\n- [CSV](a)\n- [JSON](b)`)).toEqual([line]);
    expect(await texts(`${line}\n-\n`)).toEqual([line]);
    expect(await texts(`${line}\n\n\`\`\`json\n{}\n\`\`\``)).toEqual([line]);
    expect(await texts(`- Forms must have:\n  - [labels](a)`)).toEqual(['Forms must have:']);
  });

  it('gives its strength to the items, also if its last word could name a section [R2-039]', async () => {
    expect(await explicitRequirements(`${line}\n- CSV\n- JSON`)).toMatchObject([
      { text: 'CSV', strength: 'MUST' },
      { text: 'JSON', strength: 'MUST' },
    ]);
  });
});

describe('an item above a list', () => {
  const head = ['# Harbour', '', '## Tasks', ''];

  it('is none if it only names the list, and its parts carry its name', async () => {
    const list = [
      '1. Tide Charts',
      '   - Side view',
      '   - Legend',
      '2. Berth Plans',
      '   - Legend',
    ];
    expect(await texts(...head, ...list)).toEqual([
      'Tide Charts: Side view',
      'Tide Charts: Legend',
      'Berth Plans: Legend',
    ]);
  });

  it('is none if it is a bold name, also with a box and a reference', async () => {
    const list = ['- [ ] **Create Tide Charts** (AC: 1)', '  - [ ] Draw the curve of the day'];
    expect(await found(...head, ...list)).toEqual([list[1]]);
  });

  it.each([
    '- [ ] **Task 1: Create tide charts**',
    '- [ ] Create tide charts (AC: 1)',
    '- It must print',
    '- Show the tide of each harbour',
  ])('is one if it says what to do: %s', async (item) => {
    const part = item.startsWith('- [ ]') ? '  - [ ] Draw the curve' : '  - Draw the curve';
    expect(await found(...head, item, part)).toEqual([item, part]);
  });

  it('counts if nothing below it asks', async () => {
    expect(await found(...head, '- **Tide charts for guests**', '  - Do we need them?')).toEqual([
      '- **Tide charts for guests**',
    ]);
  });

  it('groups name their parts in a section that no word names', async () => {
    const list = ['1. Charts', '   - Tide curve', '2. Plans', '   - Berth map'];
    expect(await found(...head, '- Show the tides', '', '## Strategy', '', ...list)).toEqual([
      '- Show the tides',
      list[1],
      list[3],
    ]);
  });

  it('a condition that leads to checks is none', async () => {
    const scenario = [
      '### Scenario: Docking',
      '- **Given** a ship asks for a berth,',
      '  **Then** the system must check:',
      '  1. **Depth**: The berth must be deep enough.',
    ];
    expect(await found('# Acceptance criteria', '', ...scenario)).toEqual([scenario[3]]);
  });

  it('that is a bold name of a section says what its items are', async () => {
    const lines = ['1. **Target audience**', '   - Fishers who look for tides'];
    const kept = '   - Show the tides';
    const all = [...lines, '2. **Features**', kept];
    expect(await found('# Tides', '', '## Product', '', ...all)).toEqual([kept]);
  });

  it('that only names the next list is none', async () => {
    const call = '- `GET /tides` returns the tides of a day';
    expect(await found('# Tides', '', '## API', '', '1) Tides', call)).toEqual([call]);
  });

  it('may begin with a letter', () => {
    expect(sentencesOf(['A. Home tab']).map(({ text }) => text)).toEqual(['A. Home tab']);
  });
});

describe('a sentence above a list', () => {
  const head = ['# Harbour', '', '## Tasks', ''];

  it('is none if the items ask, although it commands', async () => {
    const list = ['- tides', '- currents'];
    expect(await found(...head, 'Display the data of each harbour with:', '', ...list)).toEqual(
      list,
    );
  });

  it('above alternatives leads to none of them', async () => {
    const line = 'Pick ONE of the following harbours:';
    expect(await found('# Harbour', '', line, '', '- Kiel', '- Lagos')).not.toContain('- Kiel');
  });

  it('leads to questions that a file must answer', async () => {
    const list = [
      '1. **Depth** — How deep is it?',
      '2. **Access** — Is there a gate? Who opens it?',
    ];
    const line = 'Write a file called `HARBOUR.md` with:';
    expect(await found('# Harbour', '', line, '', ...list)).toEqual(expect.arrayContaining(list));
    expect(
      await found('# Harbour', '', '## Your `README.md` should include:', '', ...list),
    ).toEqual(list);
  });

  it('"Example with …" belongs only to the block below it', async () => {
    const says = 'After three refusals, the ship moves to the queue.';
    const sample = ['Example with the default depth of `2`:', '', '```', 'depth = 2', '```', ''];
    expect(await found('# Requirements', '', ...sample, says)).toEqual([says]);
  });
});

it.each([
  '- Architecture: `docs/architecture.md`',
  '- **Fixes:** "It stops", "It skips"',
  '- /tides/today -->',
  '- **Benefit**: Enables the team to plan the week',
])('an item that says nothing of the result: %s', async (item) => {
  const kept = '- Show the tides';
  expect(await found('# Tides', '', '## Features', '', item, kept)).toEqual([kept]);
});

describe('what stands in a list', () => {
  const title = ['# Tide tables', '', '## Requirements', '', '- Show the tides', ''];

  it('is asked for by the aim it states', async () => {
    const item = 'To allow the visitor three views side by side';
    expect(await extracted('# Page', '', '## Features', '', `- ${item}`)).toEqual([item]);
  });

  it('is a property where it gives a color, whatever its label means elsewhere', async () => {
    const item = 'Background: cream (#fefdf8)';
    expect(await extracted('# Page', '', '## Colors', '', `- ${item}`)).toEqual([item]);
    expect(await extracted(...title, '- Background: issue #12 of the pier')).toEqual([
      'Show the tides',
    ]);
  });

  it.each([
    'Make sure to open the file as Latin-1.',
    'For full credit, make sure to follow the style guide.',
  ])('binds among hints and notes on submission: %s', async (item) => {
    expect(await extracted(...title, '## Hints', '', `- ${item}`)).toEqual([
      'Show the tides',
      item,
    ]);
  });

  it('is the work of a student where it is handed in', async () => {
    const item = '- Make sure to submit the link before Friday.';
    expect(await extracted(...title, '## Submission', '', item)).toEqual(['Show the tides']);
  });
});

it('a list that commands asks in a section that describes, although one of four items does not command', async () => {
  const items = ['- Keep the tone calm', '- Use few colours', '- Always show the hour'];
  const rest = ['', '## Requirements', '', '- Tides are sorted'];
  const read = (...notes: string[]): Promise<string[]> =>
    found('# Tides', '', '## Notes', '', ...notes, ...rest);
  const other = '- Consider sailors';
  expect(await read(...items, other)).toEqual([...items, other, '- Tides are sorted']);
  expect(await read(items[0] ?? '', other, '- Sailors', '- Storms')).toEqual([
    '- Tides are sorted',
  ]);
});

describe('a line that leads to what is below it', () => {
  it.each([['https://example.org/shelf/1'], ['```', 'shelf 1', '```']])(
    'asks itself if that asks nothing: %s',
    async (...below) => {
      const lead = 'The tool should take an address like this one:';
      expect(await found([lead, '', ...below, '', 'That is all.'])).toEqual([lead]);
    },
  );

  it('asks itself if a sentence before it asks', async () => {
    const item = '- As a reader, I must be able to see my loans. They have one of these states:';
    const state = '  - Open: the book must be back in 28 days';
    expect(await found(['# Library', '', item, state])).toEqual([item, state]);
  });

  it('"like this:" and "given:" lead to examples', async () => {
    const text = ['## Prices', '', 'Given the loans:', '', '- A book for 3 days', '', 'We see:'];
    expect(await found(text)).toEqual([]);
  });

  it('"if" leads to the criteria of a section for them', async () => {
    const item = '- The list is sorted';
    const lead = 'The work is considered successful if:';
    expect(await found(['# A', '', '## Success criteria', '', lead, '', item])).toEqual([item]);
  });
});

describe('items that begin with an identifier', () => {
  const stated = ['# Library', '', '## Requirements', '', '- A loan ends after 28 days', ''];
  const [kept = ''] = stated.slice(4);

  it.each([
    '- **2.1** While a loan is late, the service shall refuse another loan',
    '- [LIB-12] The service shall refuse a third loan',
  ])('"%s" asks below a heading that only explains', async (item) => {
    expect(await found([...stated, '### Who may borrow', '', item])).toEqual([kept, item]);
  });

  it('may have it in brackets before a command', async () => {
    const item = '- [LIB-UT-001] Test the refusal of a third loan';
    expect(await found([...stated, '## Unit tests', '', item])).toEqual([kept, item]);
  });
});

describe('items that name a part', () => {
  const stated = ['# Library', '', '## Requirements', '', '- A loan ends after 28 days', ''];
  const [kept = ''] = stated.slice(4);

  it('say what it is, in a section that describes', async () => {
    const items = ['- **Database:** SQLite, one file for each year', '- **Loan:** a row per book'];
    expect(await found([...stated, '## Entities', '', ...items])).toEqual([kept, items[0]]);
  });

  it('are no data about the document if they say what binds', async () => {
    const items = ['- **Name**: Names that contain digits cannot be saved', '- **Name**: Loans'];
    const bound = '- **Date**: The date must be in the past';
    expect(await found(['## Fields', '', ...items, bound])).toEqual([bound]);
  });

  it.each([
    '- Memory usage: at most 100 MB',
    '- **Visual feedback**: a bar shows the progress',
    '- Background: `#fafafa`',
  ])('"%s" is not about use or feedback', async (item) => {
    expect(await found(['## Requirements', '', item])).toEqual([item]);
  });
});

describe('a list without marks', () => {
  const names = ['Insert a buoy', 'Colour of the lamp', 'Number of boats'];

  it('is a list below a line with a colon', async () => {
    const read = await explicitRequirements(['The app must offer:', '', ...names].join('\n'));
    expect(read.map(({ kind, text }) => [kind, text])).toEqual(
      names.map((text) => ['bullet', text]),
    );
  });

  it.each([
    ['a sentence over several lines', ['The pier is long,', 'Boats wait there', 'Lamps are red']],
    ['two lines', ['The pier is long', 'Boats wait there']],
    ['code', ['```', 'Insert a buoy', 'Colour of the lamp', 'Number of boats', '```']],
  ])('is not %s', async (_, lines) => {
    const read = await explicitRequirements(['The app must offer:', '', ...lines].join('\n'));
    expect(read.map(({ kind }) => kind)).not.toContain('bullet');
  });
});

describe('a list', () => {
  it('counts if it is indented like code right below a line', async () => {
    expect(
      await texts('# Tides', '', 'A. Chart', '    - Show the pier', '    - No tables'),
    ).toEqual(['Show the pier', 'No tables']);
  });

  it('stays below its item if the item goes on without an indentation', async () => {
    const text = ['1. The chart must show', 'all of these:', '    - tides', '    - piers'];
    expect(await texts(...text)).toEqual(['tides', 'piers']);
  });

  it('counts in tags', async () => {
    expect(
      await texts('<h2>Features</h2>', '<ul>', '<li>Show the <b>pier</b></li>', '</ul>'),
    ).toEqual(['Show the <b>pier</b>']);
  });

  it('below "could be done by" says how', async () => {
    expect(
      await texts('# A', '', '## Notes', '', 'This could be done by:', '', '- Adding a chart'),
    ).toEqual(['Adding a chart']);
  });

  it('below "behaves like" is an example', async () => {
    expect(
      await texts('# A\n\n## Use case\n\nIt behaves like:\n\n- Type "a", the list opens'),
    ).toEqual([]);
  });
});

describe('a label', () => {
  it.each([
    '**Output:** a chart of the tides for each pier',
    'Word count: 800 to 1000',
    'Length: 800 words',
    'Tone: friendly and short',
  ])('names a property of the result: %s', async (line) => {
    expect(await texts('# Tides', '', line)).toEqual([line]);
  });

  it.each(['**Input**: User description: "tides"', 'Length: 30 minutes'])(
    'names data about the work: %s',
    async (line) => {
      expect(await texts('# Tides', '', line)).toEqual([]);
    },
  );
});

describe('a sentence that leads to a list', () => {
  const stated = ['# Harbour', '', '## Requirements', '', '- A berth has a number', ''];
  const [kept = ''] = stated.slice(4);

  it('is no label, although it ends with the name of a section', async () => {
    const lead = 'This is a small harbour with the following features:';
    const items = ['- Two long quays', '- Fuel station (open at night)'];
    expect(await found([...stated, '## The harbour', '', lead, '', ...items])).toEqual([kept]);
  });

  it('to what one may read first asks for nothing', async () => {
    const lead = 'Before starting, you may want to review these topics:';
    const items = ['1. Tides, currents and their tables.', '2. The rules of the road at sea.'];
    expect(await found([...stated, '## Preliminaries', '', lead, ...items])).toEqual([kept]);
  });
});

describe('the items of a list', () => {
  const stated = ['# Harbour', '', '## Requirements', '', '- A berth has a number', ''];
  const [kept = ''] = stated.slice(4);

  const asking = ['- The map shows every berth', '- The clock shows the tide'];

  it('ask if most items around them do', async () => {
    const item = '- The wind forecast and the hour it was made';
    expect(await found(['# Harbour', '', '## Panel', '', ...asking, item])).toEqual([
      ...asking,
      item,
    ]);
  });

  it.each([
    '- I can help on weekends only',
    '- The current harbour plan lists every berth',
    '- **Berth**: a place for one boat',
  ])('"%s" asks for nothing there', async (item) => {
    expect(await found([...stated, '## Panel', '', ...asking, item])).toEqual([kept, ...asking]);
  });

  it('that are only a quotation or a sample ask for nothing', async () => {
    const items = ['- "Your boats. Your berth."', '- *`[12 ms] read the tide of today`*'];
    expect(await found([...stated, '## Panel', '', '- The panel shows a log:', ...items])).toEqual([
      kept,
      '- The panel shows a log:',
    ]);
  });

  it('a label in front of them does not make a word of it a person', async () => {
    const item = '- **I/O guard:** Throws an error if the file was closed';
    expect(await found(['# Harbour', '', '## Writer', '', item])).toEqual([item]);
  });

  it.each(['- The berth list already exists', '- The quay is already connected to the grid'])(
    '"%s" says what exists',
    async (item) => {
      expect(await found(['# Harbour', '', '## Parts', '', kept, item])).toEqual([kept]);
    },
  );

  it('ask if half of the list asks', async () => {
    const items = ['Grey lamps.', 'The bell must ring twice.', 'A ladder is shown.', 'Tide table.'];
    const list = items.map((item) => `- ${item}`);
    expect(await texts('# Harbour', '', '## Pier', '', ...list)).toEqual(items);
  });

  it('that forbid are duties, also where the section says what is left out', async () => {
    const list = ['- Do not paint the pier', '- A second pier', '- Never close the gate'];
    expect(
      await texts('# Harbour', '', '- Lamps must be grey', '', '## Non-goals', '', ...list),
    ).toEqual(['Lamps must be grey', 'Do not paint the pier', 'Never close the gate']);
  });
});

describe('lines with empty lines between them', () => {
  const head = ['# Harbour', '', '## Pier', ''];

  const items = ['A lamp for each pier', 'Support for several bells', 'A list of all boats'];
  const apart = (lines: readonly string[]): string[] => lines.flatMap((line) => [line, '']);

  it('are a list below a colon', async () => {
    const read = await texts(...head, 'The page must have:', '', ...apart(items), 'It saves time.');
    expect(read).toEqual(items);
  });

  it('are paragraphs if they are sentences', async () => {
    const text = items.map((item) => `${item} was there.`);
    expect(await texts(...head, 'The page must have:', '', ...apart(text))).not.toContain(text[0]);
  });
});

describe('a line that leads', () => {
  it('to code only shows it, unless it asks', async () => {
    const code = ['', '```json', '{}', '```', ''];
    expect(
      await found(
        '## Output\n\nThe shape of a chart is the following:',
        ...code,
        'The command will print this:',
        ...code,
      ),
    ).toEqual(['The command will print this:']);
  });

  it('to questions that a text must answer makes them requirements', async () => {
    const list = ['1. **Cause:** What went wrong?', '2. **Effect:** Who saw it?'];
    expect(await found('## Report', '', 'For each storm, document:', '', ...list)).toEqual(list);
    expect(await found('## Talk', '', 'We think about two things:', '', ...list)).toEqual([]);
  });

  it('names what the result contains', async () => {
    const list = ['- Height of the tide', '- Name of the harbour'];
    expect(await found('## Notes', '', 'Fields to show:', '', ...list)).toEqual(list);
  });

  it('as the bold name of an item is none if something below it asks', async () => {
    const below = ['   - Show the tide of today', '   - Mark the highest tide'];
    expect(await found('## Tasks', '', '1. **Tide chart**', ...below)).toEqual(below);
  });

  it('as a command below a label asks through its items', async () => {
    const list = ['- Tide tables', '- Wind roses', '- A small map'];
    expect(
      await found('# Task', '', '**Design and build a page for a harbour:**', '', ...list),
    ).toEqual(list);
  });
});

it('a tag states that an item is a requirement', async () => {
  const items = ['- [required] must keep its history', '- [optional] sort by name'];
  expect(await found('# Harbour', '', '### User', '', ...items)).toEqual(items);
});

it('a list of code, quotes or questions is none', async () => {
  const items = ['- `Tide.next`', '- "All tides. One page."', '- How to read a chart'];
  expect(await found('# Harbour', '', '## Affected parts', '', ...items)).toEqual([]);
});

describe('an item below a heading, in a document that names its requirements elsewhere', () => {
  const rest = ['', '## Requirements', '', '- Tides are sorted'];

  it('counts if it names a part in several words', async () => {
    const items = ['- Warm paper colours, a dark deep slate', '- Side bar for saved harbours'];
    const lines = ['# Tides', '', '## Looks', '', ...items, ...rest];
    expect(await found(...lines)).toEqual([...items, '- Tides are sorted']);
  });

  it('is none if it is only a name, or says what a word means', async () => {
    const items = ['- Blue violets', '- **Tide**: a rise of the sea in the north'];
    const lines = ['# Tides', '', '## Looks', '', ...items, ...rest];
    expect(await found(...lines)).toEqual(['- Tides are sorted']);
  });

  it('is none below a line that says what nobody grades', async () => {
    const items = ['- Security of the interface for harbours', '- Small faults of your code'];
    const lines = [
      '# Tides',
      '',
      '## Looks',
      '',
      'What will not be graded:',
      '',
      ...items,
      ...rest,
    ];
    expect(await found(...lines)).toEqual(['- Tides are sorted']);
  });
});

describe('numbered items right below a line', () => {
  it('begin a list, although the first number is not 1', async () => {
    const story = 'As a pilot, I want';
    const lines = ['**Buoys**', `4. ${story} a light`, `5. ${story} a bell`, `6. ${story} a chart`];
    const read = await explicitRequirements(['## Stories', '', ...lines].join('\n'));
    expect(read.map(({ kind, line }) => [kind, line])).toEqual([
      ['numbered', 4],
      ['numbered', 5],
      ['numbered', 6],
    ]);
  });

  it('are the rest of a sentence if none follows', async () => {
    const text = 'The pier must have lamps of type\n3. They must be red.';
    const read = await explicitRequirements(text);
    expect(new Set(read.map(({ kind }) => kind))).toEqual(new Set(['statement']));
  });
});

describe('a line that is a condition', () => {
  const head = ['# Harbour', '', '## Requirements', '', '- Lamps for the pier', ''];

  it('is no name of a section', async () => {
    const rules = ['Buoys carry a lamp.', 'No boat enters the harbour.'];
    const list = ['If a boat carries fish:', ...rules.map((rule) => `- ${rule}`)];
    expect(await texts(...head, '### Storm', '', ...list)).toEqual([lamps, ...rules]);
  });
});

it('a label with a state asks nothing by itself', async () => {
  const item = '- Times are sorted by hour.';
  for (const state of ['✅ **ALL DONE**', '🔄 **PARTIALLY COMPLETED**', 'not started'])
    expect(await found('# Ferry', '', `**Acceptance criteria**: ${state}`, item)).toEqual([item]);
});
