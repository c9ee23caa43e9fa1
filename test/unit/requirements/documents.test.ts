import { describe, expect, it } from 'vitest';
import { explicitRequirements } from '@/requirements/explicit-requirements.js';
import { sectionKind } from '@/requirements/sections.js';
import { extracted, found, texts } from './support.js';

const prompt = [
  'You help a harbour. Your task is to draw a chart of the tides for the pier.',
  '## The chart must cover',
  '- The height of each tide in metres',
  '- The time of each tide at the pier',
  '',
  'Use blue for high water. No code in the answer, and no list of words.',
];
const asked = [
  'The height of each tide in metres',
  'The time of each tide at the pier',
  'Use blue for high water.',
  'No code in the answer, and no list of words.',
];
const fence = '```';
const head = ['# Harbour', '', '## Pier', ''];
const wishes = ['The lamp turns off at dawn.', 'Each buoy has a number.', 'Print the tide table.'];
const items = wishes.map((text) => `- ${text}`);

describe('documents of tools', () => {
  it('spec-kit: identified requirements, stories and acceptance scenarios ask, gaps of the template do not', async () => {
    const lines = [
      '# Feature Specification: Bookmarks',
      '',
      '**Status**: Draft',
      '**Input**: User description: "Readers must keep pages"',
      '',
      '### User Story 1 - Save a page (Priority: P1)',
      '',
      '**Why this priority**: Without it nothing must be saved.',
      '',
      '**Acceptance Scenarios**:',
      '',
      '1. **Given** a page, **When** it is saved, **Then** it is in the list',
      '',
      '### Functional Requirements',
      '',
      '- **FR-001**: System MUST keep a page for a year',
      '- **FR-002**: Users MUST be able to [key interaction]',
      '- **FR-003**: Tags are optional [NEEDS CLARIFICATION: how many?]',
      '',
      '### Key Entities',
      '',
      '- **Page**: an address with a title',
    ];
    expect(await found(lines)).toEqual([lines[11], lines[15], lines[17]]);
  });

  it('OpenSpec: requirements and outcomes of scenarios ask, conditions do not', async () => {
    const lines = [
      '## ADDED Requirements',
      '',
      '### Requirement: Sessions end',
      'The system SHALL end a session after an hour.',
      '',
      '#### Scenario: Rejected after an hour',
      '- **WHEN** an hour has passed',
      '- **AND** a request comes',
      '- **THEN** it is refused',
      '- **AND** the session is deleted',
      '',
      '## REMOVED Requirements',
      '',
      '### Requirement: Endless sessions',
      'Sessions SHALL never end.',
    ];
    expect(await found(lines)).toEqual([lines[3], lines[8], lines[9]]);
  });

  it('a task box asks wherever it is, unless it is excluded or says what its author did', async () => {
    expect(
      await found([
        '## Setup\n- [ ] 1.1 Create the package\n- Node is needed\n## Out of scope',
        '- [ ] Payments\n## Checks\n- [x] I have read the guide',
      ]),
    ).toEqual(['- [ ] 1.1 Create the package']);
  });

  it('a heading with goals and non-goals leaves the decision to the labels below it', async () => {
    expect(
      await found([
        '## Goals and non-goals\n**Goals**\n- Limits change without a deployment\n',
        '**Non-goals**\n- Billing',
      ]),
    ).toEqual(['- Limits change without a deployment']);
  });
});

it('in other languages, the words for must and should oblige', async () => {
  const lines = [
    'Система должна хранить корзину тридцать дней.',
    'カートは三十日間保存しなければならない。',
    'El sistema debería guardar el carrito.',
    'Die Seite muss in zwei Sekunden laden.',
  ];
  for (const line of lines) expect(await found([line]), line).toEqual([line]);
});

describe('where work is graded or explained', () => {
  const title = ['# Tide tables', '', '## Requirements', ''];

  it.each([
    'Make sure your code compiles on the server of the course.',
    'A list that uses anything else than channels will receive 0 credit.',
    'Read the paper. Your implementation should treat a full buffer as an error.',
  ])('what binds the work asks: %s', async (item) => {
    expect(await extracted('# Tides', '', '## Grading', '', `- ${item}`)).toEqual([item]);
  });

  it('the rest does not', async () => {
    const items = ['- Tests count for 40 points', '- Good names are valued'];
    expect(await extracted(...title, 'Show the tides.', '', '## Grading', '', ...items)).toEqual([
      'Show the tides.',
    ]);
  });

  it('a remark that forbids asks', async () => {
    const remark = 'Please note that locks are NOT allowed.';
    expect(await extracted(...title, remark)).toEqual([remark]);
  });
});

describe('a fence', () => {
  const title = ['# Tide tables', '', '## Requirements', '', '- Show the tides', ''];

  it('whose lines bind contains requirements', async () => {
    const duties = [
      '1.The service shall read a table of tides from a file.',
      '2.The service shall show the next tide of each pier.',
      '3.The service shall warn of a flood.',
    ];
    const texts = await extracted('# Task', '', 'Write a service.', '', '```', ...duties, '```');
    expect(texts.filter((text) => text.includes('shall'))).toHaveLength(3);
  });

  it('of which few lines bind stays an example', async () => {
    const shown = ['tide 1 must rise', 'open the gate', 'close the gate', 'count the ships again'];
    expect(await extracted(...title, '```', ...shown, '```')).toEqual(['Show the tides']);
  });
});

describe('tasks of a story', () => {
  const story = ['# Story', '', '## Acceptance criteria', '', '- The tides are shown', ''];

  it.each(['Tasks / Subtasks', 'Tasks and subtasks', 'Dev Tasks & Sub-tasks'])(
    'ask nothing below "%s" if they only look at what is there',
    async (heading) => {
      const tasks = [
        '- [ ] Investigate the setup of the piers (AC: 1)',
        '  - [ ] Verify access with the profile of the harbour',
        '- [ ] Task 2: Run the script of the gauges',
        '- [ ] Add a table of tides',
      ];
      expect(await extracted(...story, `## ${heading}`, '', ...tasks)).toEqual([
        'The tides are shown',
        'Add a table of tides',
      ]);
    },
  );

  it('ask for what they check below any other heading', async () => {
    const tasks = ['- [ ] Verify access with the profile of the harbour'];
    expect(await extracted(...story, '## Work', '', ...tasks)).toHaveLength(2);
  });
});

describe('text pasted between quotation marks', () => {
  const pasted = [
    '" The old catalogue',
    '',
    '1. Every shelf has a number',
    '',
    'Printed 1999',
    '',
    '"',
  ];

  it('asks nothing, from its first mark to its last', async () => {
    const last = 'The page must show these shelves.';
    expect(await found([...pasted, '', last])).toEqual([last]);
  });

  it('without a second mark it is read like other text', async () => {
    expect(await found(pasted.slice(0, -2))).toEqual(['1. Every shelf has a number']);
  });

  it('does not go on below the next heading', async () => {
    const item = '- Every shelf has a lamp';
    expect(await found(['"Hello', '', '# Task', '', item, '', '"'])).toEqual([item]);
  });
});

describe('questions and answers', () => {
  const stated = ['# Library', '', '## Requirements', '', '- A loan ends after 28 days', ''];
  const [kept = ''] = stated.slice(4);

  it('an answer in brackets asks, although it begins with a pronoun', async () => {
    const item = '- What happens to late loans? (They should be shown in red.)';
    expect(await found([...stated, '### Edge cases', '', item])).toEqual([kept, item]);
  });
});

describe('tags that name the parts of a prompt', () => {
  it('are headings, so that lists and sentences in them are read', async () => {
    const prompt = [
      'You help a harbour.',
      '<context>',
      'The pier has no lamps. We had three boats.',
      '</context>',
      '<must_have>',
      '- Lamps turn off at dawn',
      '- Each buoy has a number',
      '</must_have>',
      '<constraints>',
      'Never delete a tide.',
      '</constraints>',
    ];
    const read = await explicitRequirements(prompt.join('\n'));
    expect(read.map(({ text, line, section }) => [line, section.at(-1), text])).toEqual([
      [6, 'Must have', 'Lamps turn off at dawn'],
      [7, 'Must have', 'Each buoy has a number'],
      [10, 'Constraints', 'Never delete a tide.'],
    ]);
  });

  it('end a part that explains', async () => {
    const context = ['<background>', 'Boats come by night.', '</background>'];
    expect(await texts(...context, '', 'Write a plan for the lamps of each pier.')).toEqual([
      'Write a plan for the lamps of each pier.',
    ]);
  });

  it('are labels on one line', async () => {
    const lines = ['<example>The lamp must be red.</example>', '', '<rule>Print the tide.</rule>'];
    expect((await texts(...lines)).join()).toContain('Print the tide.');
    expect((await texts(...lines)).join()).not.toContain('The lamp must be red.');
  });

  it.each([
    ['of HTML', ['<section>', 'Lamps', '</section>']],
    ['without an end', ['<harbour>', 'Lamps']],
    ['in a fence', ['```', '<harbour>', 'Lamps', '</harbour>', '```']],
  ])('%s name no part', async (_, lines) => {
    const rule = 'The pier must have a lamp.';
    const [read] = await explicitRequirements([...lines, '', rule].join('\n'));
    expect(read).toMatchObject({ text: rule, section: [] });
  });
});

describe('a text in a fence', () => {
  it('is the task if the document says to paste it [R2-001]', async () => {
    const text = ['# Prompt', '', 'Paste the block below.', '', '```text', ...prompt, '```'];
    expect(await texts(...text)).toEqual(expect.arrayContaining(asked));
  });

  it('is the task if it is most of the document, with its lines as they are counted', async () => {
    const read = await explicitRequirements(['```markdown', ...prompt, '```'].join('\n'));
    expect(read.map(({ text }) => text)).toEqual(expect.arrayContaining(asked));
    expect(read.find(({ text }) => text === asked[0])?.line).toBe(4);
  });

  it('is an example if other text is longer, and nothing says to paste it', async () => {
    const long = 'The harbour has four piers. '.repeat(20);
    const rule = 'The pier must stay open.';
    const text = ['# Tides', '', long, '', rule, '', '```', ...prompt, '```'];
    expect(await texts(...text)).toEqual([rule]);
  });

  it.each(['ts', 'yaml', 'diff'])('is code if it says that it is %s', async (language) => {
    expect(await texts(`\`\`\`${language}`, ...prompt, '```')).toEqual([]);
  });

  it('is code if its lines are code', async () => {
    const code = ['const tide = 1;', 'if (tide > 2) {', '  must(show(tide));', '}'];
    expect(await texts('Use the code below:', '```', ...code, ...code, ...code, '```')).toEqual([
      'Use the code below:',
    ]);
  });
});

describe('a plan', () => {
  it('asks in the steps that build a part, and not in the work around them', async () => {
    expect(
      await texts(
        '# Tides\n## Milestones\n- Create a chart of the tides',
        '- A list of piers will be displayed\n- Meet the harbour master\n- Design: March',
      ),
    ).toEqual(['Create a chart of the tides', 'A list of piers will be displayed']);
  });

  it.each([
    'Begin implementation.',
    'Commit after each task.',
    'Submit a link to your repository',
    'Your team must meet each week',
    'Paste the prompt below into a new chat',
    'Charts: submit by the end of week 2',
  ])('does not ask for the work of people: %s', async (step) => {
    expect(await texts('# Tides', '', '## Tasks', '', `- ${step}`)).toEqual([]);
  });

  it('leaves out an item that says that it is for later', async () => {
    expect(await texts('## Features', '', '- A chart of tides', '- A login (later)')).toEqual([
      'A chart of tides',
    ]);
  });

  it('counts in a text without headings, and not a proposal', async () => {
    const plan = 'For the tides, I will use the table of the port.';
    expect(await found(plan, '', 'We should have a call about the price.')).toEqual([plan]);
  });

  it('leaves out its phases, unless they command', async () => {
    const list = ['1. ✅ **Phase 1**: Charts of the port', '2. **Phase 2**: Draw the tide curve'];
    expect(await found('# Port', '', '- Show the tide', '', '## Stages', '', ...list)).toEqual([
      '- Show the tide',
      list[1],
    ]);
  });

  it('names values of the result', async () => {
    const list = ['- Runtime: Node.js', '- Language: Lisp', '- Alerts: mail first'];
    expect(await found('# Port', '', '## Strategy', '', ...list)).toEqual(list);
  });
});

it('tasks with the same text below different tasks count twice', async () => {
  const list = [
    '- [ ] Migrate the port',
    '  - [ ] Update tests',
    '- [ ] Migrate the bay',
    '  - [ ] Update tests',
  ];
  expect(await found('# Tasks', '', ...list)).toEqual(list);
});

describe('parts of a plan', () => {
  const stated = ['# Harbour', '', '## Requirements', '', '- A berth has a number', ''];
  const [kept = ''] = stated.slice(4);

  it('the items of a phase are parts of the result', async () => {
    const items = ['- Berth list', '- Tide clock'];
    expect(await found([...stated, '## Phase 1: First boats', '', ...items])).toEqual([
      kept,
      ...items,
    ]);
  });

  it('those of a phase below a timeline are not', async () => {
    const lines = ['## Timeline', '', '### Phase 1: First boats', '', '- Training of the crew'];
    expect(await found([...stated, ...lines])).toEqual([kept]);
  });

  it('considerations ask, and a conclusion does not', async () => {
    const item = '- Encrypted radio only';
    const end = 'This system balances cost and comfort for the harbour.';
    const lines = ['## Security considerations', '', item, '', '## Conclusion', '', end];
    expect(await found([...stated, ...lines])).toEqual([kept, item]);
  });

  it.each(['项目背景', '風險', '动机'])('"%s" explains', async (name) => {
    const text = '- 旧的码头系统很慢，需要人工登记';
    expect(await found([...stated, `## ${name}`, '', text])).toEqual([kept]);
  });
});

describe('risks and assumptions', () => {
  const stated = ['# Harbour', '', '## Requirements', '', '- A berth has a number', ''];
  const [kept = ''] = stated.slice(4);

  it('a risk asks if it also says what to do', async () => {
    const risk = '- **Slow start** of the radio; cache the list of channels.';
    const none = '- **Late boats**; nobody knows when they come.';
    expect(await found([...stated, '## Risks', '', risk, none])).toEqual([kept, risk]);
  });

  it('so does a label that names a risk', async () => {
    const items = ['- The crane lifts a boat', '- **Risk:** wind — cap the load at 2 tonnes.'];
    expect(await found(['# Harbour', '', '## Crane', '', ...items])).toEqual(items);
    expect(await found(['# Harbour', '', '## Crane', '', '- **Risk:** strong wind.'])).toEqual([]);
  });

  it.each([
    '- Booking needs a name only; payment online is out of scope.',
    '- The time limit of a booking is set to 15 minutes.',
    '- "Boat name" defaults to the name of the skipper.',
  ])('the assumption "%s" decides', async (item) => {
    expect(await found([...stated, '## Assumptions', '', item])).toEqual([kept, item]);
  });

  it.each([
    '- Payment online is out of scope; it needs a contract.',
    '- One list of berths is sufficient; lists for each quay are out of scope.',
    '- Skippers have a phone.',
  ])('the assumption "%s" does not', async (item) => {
    expect(await found([...stated, '## Assumptions', '', item])).toEqual([kept]);
  });
});

describe('the text below the heading of a user story', () => {
  const kept = '- A berth has a number';

  it('tells the story, as one requirement', async () => {
    const text = 'A skipper wants to move a boat. They pick a berth. The map was updated.';
    const read = await explicitRequirements(
      ['## User Story 2 - Move a boat', '', text, '', '**Why this priority**: Storms.'].join('\n'),
    );
    expect(read.map((one) => one.text)).toEqual([text]);
  });

  it('does not begin with data about it', async () => {
    const data = '**Epic:** Epic 1: Harbour and foundations';
    expect(await found(['# Story 1.1: Leave', '', data, '', '## Criteria', '', kept])).toEqual([
      kept,
    ]);
  });

  it('is the first one only', async () => {
    const lines = ['# Harbour', '', '### Story 3 - Leave', '', 'A skipper leaves.', ''];
    const more = 'We think that skippers often forget to sign off.';
    expect(await found([...lines, more])).toEqual(['A skipper leaves.']);
  });
});

describe('code without a language', () => {
  const steps = ['GIVEN: I am on the pier', 'WHEN: I ring the bell', 'AND WHEN: I wait'];
  const outcomes = ['THEN: I should see the pilot', 'AND: the lamp should be lit'];

  it.each(['', 'text'])('is read if most of its lines are steps: "%s"', async (language) => {
    const code = [fence + language, 'Ringing the bell:', '', ...steps, ...outcomes, fence];
    expect(await texts('# Harbour', '', '**Ringing**', ...code)).toEqual(outcomes);
  });

  it.each([
    ['of a language', ['```sh', ...steps, ...outcomes, fence]],
    [
      'with few steps',
      [fence, ...steps, ...outcomes, ...steps.map((_, at) => `x${at}`), 'y', 'z', 'u', fence],
    ],
    ['without an outcome', [fence, ...steps, fence]],
    ['without a condition', [fence, ...outcomes, fence]],
  ])('is an example otherwise: %s', async (_, code) => {
    expect(await texts('# Harbour', '', 'The pier must have a bell.', '', ...code)).toEqual([
      'The pier must have a bell.',
    ]);
  });
});

describe('texts that a person sees', () => {
  it('are parts of the result below a line that asks to show them, with what is below them', async () => {
    const list = [
      '1. **"Which boat is yours?"**',
      '   - Field for the name',
      '2. **"Where from?"**',
    ];
    expect(await texts(...head, 'Ask these questions one at a time:', '', ...list)).toEqual([
      '**"Which boat is yours?"**',
      'Field for the name',
      '**"Where from?"**',
    ]);
  });

  it('are parts in a list of parts', async () => {
    const items = [
      'Show the tide of each hour',
      'Show a lamp at night',
      '"The pilot is on the way..."',
    ];
    expect(await texts(...head, ...items.map((item) => `- ${item}`))).toEqual(items);
  });

  it('are samples otherwise', async () => {
    const list = ['- "Where is my boat?"', '- "Is the pier open?"'];
    const asks = 'The pier must have a bell.';
    expect(await texts(...head, asks, '', 'Visitors said:', '', ...list)).toEqual([asks]);
  });
});

describe('what somebody will be making', () => {
  it('is asked for', async () => {
    const text = 'You will be adding a bell to the pier.';
    expect(await texts('# Harbour', '', 'It is old.', '', text)).toEqual([text]);
  });

  it('is none if nothing is made', async () => {
    const asks = 'The pier must have a bell.';
    expect(await texts('# Harbour', '', asks, '', 'You will be working in pairs.')).toEqual([asks]);
  });
});

describe('the work of a course', () => {
  it.each([
    'Create a GitHub account',
    'Set up a private Git repository with your changes',
    'Use meaningful commit messages',
    'Merge each PR when it is done',
    'Analyze the existing codebase',
    'Treat this as a task of your team',
    'Clone the repository to your computer',
    'Switch to the `main` branch',
    'Pull all changes of your group',
  ])('is none, as an item and as a box: %s', async (text) => {
    const kept = '- Show the tides of each harbour';
    expect(await found('# Task', '', '## Tasks', '', `- ${text}`, kept)).toEqual([kept]);
    const box = '- [ ] Show the tides';
    expect(await found('# Task', '', '## Tasks', '', `- [ ] ${text}`, box)).toEqual([box]);
  });

  it('a class that is copied into a file is a part of the result', async () => {
    const list = [
      '**Copy this class into tides.py:**',
      '- A method that adds a tide',
      '- Constants',
    ];
    expect(await found('# Task', '', '## Source', '', ...list)).toContain(list[1]);
    const told = ['**Copy this prompt into the agent:**', ...list.slice(1)];
    expect(await found('# Task', '', '- Show tides', '', '## Source', '', ...told)).toEqual([
      '- Show tides',
    ]);
  });

  it('a suggested approach is advice', async () => {
    const steps = ['1. Sketch the classes first', '2. Write the class of tides'];
    const asks = '- Show tides';
    expect(await found('# Task', '', asks, '', '## Suggested approach', '', ...steps)).toEqual([
      asks,
    ]);
  });

  it('a question in a box is none', async () => {
    const box = '- [ ] Would you like to build this?';
    expect(await found('# Tides', '', '## Tasks', '', box)).toEqual([]);
  });

  it('areas to consider and criteria of assessment explain', async () => {
    const items = ['- Performance', '- Security'];
    const areas = ['While you read the code, consider looking at:', '', ...items];
    expect(await found('# Task', '', '## Areas to consider', '', ...areas)).toEqual([]);
    expect(await found('# Task', '', '## Assessment criteria', '', ...items)).toEqual([]);
    expect(await found('# Task', '', '## Work', '', 'Focus areas to consider:', ...items)).toEqual(
      [],
    );
  });

  it('an obligation below such a heading counts', async () => {
    const said = 'The list should stay sorted.';
    expect(await found('# Task', '', '## Areas to consider', '', said)).toEqual([said]);
  });

  it('an order in which parts are built names the parts', async () => {
    const parts = ['1. User model', '2. Login and registration', '3. Public API'];
    expect(await found('# Shop', '', '## Build order', '', ...parts)).toEqual(parts);
    const work = ['1. Read the codebase', '2. Commit after each step'];
    expect(await found('# Shop', '', '## Build order', '', ...work)).toEqual([]);
    expect(await found('# Shop', '', '## Execution order', '', ...parts.slice(1))).toEqual([]);
  });

  it('a plan for the evaluation, the order of the work and money do not ask by their names', () => {
    expect(sectionKind('Evaluation plan')).toBe('unclear');
    expect(sectionKind('Implementation order')).toBe('background');
    expect(sectionKind('Reason for the change')).toBe('background');
    expect(sectionKind('Business model')).toBe('unclear');
    expect(sectionKind('How the current app works')).toBe('background');
    expect(sectionKind('Long-term direction')).toBe('excluded');
    expect(sectionKind('Future v2 candidates')).toBe('excluded');
  });
});

it('an order of work that only names requirements asks nothing', async () => {
  const order = ['1. FR-2, FR-7 (as a base)', '2. ✅ FR-1 (times) - **COMPLETED**', '3. FR-4'];
  expect(await found('# Ferry', '', '## Requirements', '', ...order)).toEqual([]);
  const asks = ['- FR-2 (must): Times are sorted by hour.', '- FR-4 Show the tide'];
  expect(await found('# Ferry', '', '## Requirements', '', ...asks)).toEqual(asks);
});

describe('what leaves nearly all of a task out is not believed', () => {
  it.each(['# Backlog', '# Context', '# Future ideas for the harbour', '# Known issues'])(
    'the title %s',
    async (title) => {
      expect(await texts(title, '', ...items)).toEqual(wishes);
    },
  );

  it('the names of all sections', async () => {
    const sections = items.flatMap((item, index) => [`## Lamp ${index} (later)`, '', item, '']);
    expect(await texts('# Harbour', '', ...sections)).toEqual(wishes);
  });

  it('a label', async () => {
    expect(await texts('**Background**', '', ...items)).toEqual(wishes);
  });

  it('the line above the only list', async () => {
    expect(await texts('Currently we have this on the wall:', '', ...items)).toEqual(wishes);
  });

  it('quotes', async () => {
    expect(await texts(...items.map((item) => `> ${item}`))).toEqual(wishes);
  });

  it('several fences, each with less than half of the text', async () => {
    const fence = [
      '```',
      'You help a harbour with its lamps, its buoys and its piers.',
      ...items,
      '```',
    ];
    const other = fence.map((line) => line.replace('the tide table', 'a chart of the tides'));
    const long = 'You help a harbour with its lamps and its buoys and its three old piers today.';
    const text = [long, '', ...fence, '', long, '', ...other];
    expect(await texts(...text)).toEqual(
      expect.arrayContaining([...wishes, 'Print a chart of the tides.']),
    );
  });
});

describe('an exclusion is believed', () => {
  it('if a part of the task stays', async () => {
    const task = ['# Harbour', '', '## Must have', '', '- Lamps for the pier', ''];
    expect(await texts(...task, '## Ideas', '', ...items)).toEqual(['Lamps for the pier']);
  });

  it.each(['Out of scope', 'Not now', 'Rejected ideas', "Won't have", 'Completed requests'])(
    'if it says that it leaves text out: %s',
    async (name) => {
      expect(await texts('# Harbour', '', `## ${name}`, '', ...items)).toEqual([]);
    },
  );

  it('if it hides only a line or two', async () => {
    expect(await texts('# Backlog', '', ...items.slice(1))).toEqual([]);
  });
});

describe('text that is indented like code', () => {
  const page = [
    'Do this for full points',
    '',
    '    Server',
    '        Return the height of each tide as JSON',
    '        Example:',
    '',
    '        [',
    '          {"height": 3},',
    '          {"height": 4}',
    '        ]',
    '',
    '        Add a route for each pier, which says how many lamps it has and',
    '        who looks after them',
    '    Client',
    '        Show the tides of the day',
  ];

  it('is a list, with its lines as they are counted', async () => {
    const read = await explicitRequirements(page.join('\n'));
    expect(read.map(({ text, line, endLine }) => [line, endLine, text])).toEqual(
      expect.arrayContaining([
        [4, 4, 'Return the height of each tide as JSON'],
        [
          12,
          13,
          'Add a route for each pier, which says how many lamps it has and who looks after them',
        ],
        [15, 15, 'Show the tides of the day'],
      ]),
    );
    expect(read.map(({ text }) => text).join('\n')).not.toContain('height":');
  });

  it.each([
    ['code', ['for tide in tides:', '    show(tide)', 'Return the height', 'return tides;']],
    ['SQL', ['SELECT height FROM tides', 'UPDATE tides SET height', 'DELETE FROM tides']],
    ['help', ['add <name>   Add the tide of a day', 'Show all     Show all of the tides']],
  ])('is code if it is %s', async (_, code) => {
    const lines = code.map((line) => `    ${line}`);
    expect(await texts('The pier must have a lamp.', '', ...lines)).toEqual([
      'The pier must have a lamp.',
    ]);
  });

  it('is a sample below a line that says so', async () => {
    const sample = ['    Show the tides of a day', '    Print the tides of a week'];
    expect(await texts('For example:', '', ...sample, '', 'The pier must be lit.')).toEqual([
      'The pier must be lit.',
    ]);
  });

  it('is plain text if all lines share the indentation', async () => {
    expect(await texts(...items.map((item) => `      ${item}`))).toEqual(wishes);
  });
});
