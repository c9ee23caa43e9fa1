import { describe, expect, it } from 'vitest';
import { isProposal } from '@/requirements/demand.js';
import { sectionKind } from '@/requirements/sections.js';
import { found, texts } from './support.js';

const head = ['# Harbour', '', '## Requirements', '', '- Lamps for the pier', ''];
const lamps = 'Lamps for the pier';

describe('a heading', () => {
  const stated = ['# Library', '', '## Requirements', '', '- A loan ends after 28 days', ''];
  const [kept = ''] = stated.slice(4);

  it.each(['Lifecycle approval', 'Static findings', 'Integration boundary', 'Tide history'])(
    'names a part of the product by a topic and a word before it: %s',
    (heading) => {
      expect(sectionKind(heading)).toBe('open');
    },
  );

  it.each(['Approval', 'Findings', 'Market analysis', 'Scope boundaries', 'User feedback'])(
    'is about the document: %s',
    (heading) => {
      expect(sectionKind(heading)).toBe('unclear');
    },
  );

  it('of what comes before the work explains', () => {
    expect(sectionKind('Before writing code')).toBe('background');
  });

  it('names a part of the features, although it looks like a section', async () => {
    const items = ['- Wave of the day', '- Sum of all waves'];
    for (const name of ['Daily progress', 'Alarms and notes', 'Fishing competition'])
      expect(
        await found('# Tides', '', '## Core features', '', `### ${name}`, '', ...items),
        name,
      ).toEqual(items);
  });

  it('for what the result is not like forbids', async () => {
    const item = '- **Loud apps.** No sounds, no medals.';
    expect(await found('# Tides', '', '## Anti-references', '', item)).toEqual([item]);
  });

  it('for an agent asks, and so do notes that all command', async () => {
    const rest = ['', '## Requirements', '', '- Tides are sorted'];
    const one = ['- Keep the readers pure'];
    const agent = await found('# Tides', '', '## Notes for the coding agent', '', ...one, ...rest);
    expect(agent).toEqual([...one, '- Tides are sorted']);
    const all = [...one, '- Avoid databases', '- Use small functions'];
    expect(await found('# Tides', '', '## Notes', '', ...all, ...rest)).toEqual([
      ...all,
      '- Tides are sorted',
    ]);
  });

  it('for what is expected asks, and for resources of the result, too', async () => {
    const said = '- the height in metres';
    expect(await found('# Tides', '', 'Expected AI response:', said)).toEqual([said]);
    const item = '- **Store**: one bucket per harbour';
    expect(await found('# Tides', '', '## Cloud resources', '', item)).toEqual([item]);
    expect(await found('# Tides', '', '## Resources', '', item)).toEqual([]);
  });

  it.each([
    'Scope (out, not in this build)',
    'Phase 1: The pier (completed)',
    'Old plan - archived',
    'Payment (TBD later)',
    'Existing solutions',
    'Drawbacks of existing solutions',
    'Root cause analysis',
    'Problem & why it matters',
    'What problem does this solve?',
    'Who will use this site?',
    'Is your feature request related to a problem? Please describe.',
    'Budget request',
    "What we're looking for",
  ])('says that its section asks nothing: %s', async (heading) => {
    expect(await texts('# Tides', '', `## ${heading}`, '', '- The list shows all tides')).toEqual(
      [],
    );
  });

  it.each([
    'Scope (in)',
    'Definition of done',
    'How scoring works',
    'Required endpoints',
    'Phase 2 - Charts',
    'What this session will build',
    'MVP scope (v0.1) - done',
  ])('says that its section asks: %s', async (heading) => {
    expect(await texts('# Tides', '', `## ${heading}`, '', '- A chart of tides')).toEqual([
      'A chart of tides',
    ]);
  });

  it('is a requirement if it is a whole command and only code is below it', async () => {
    const heading = '### 2. Support several harbours at once:';
    expect(
      await found('# Chart', '', '## Use', '', heading, '', '```', 'chart a b', '```'),
    ).toEqual([heading]);
    expect(await found('# Chart', '', '## Use', '', '### Support several harbours', '')).toEqual(
      [],
    );
  });

  it.each([
    ['Current features', 'background'],
    ['Fully functional features', 'background'],
    ['Previous story insights', 'background'],
    ['Example queries', 'background'],
    ['How the chart was built', 'excluded'],
    ['Rationale and alternatives', 'excluded'],
    ['Background tasks', 'requirements'],
    ['Out of stock', 'open'],
    ['Scope definition', 'open'],
    ['In scope: three charts', 'requirements'],
    ['Layout (required)', 'requirements'],
  ])('%s: %s', (heading, kind) => {
    expect(sectionKind(heading)).toBe(kind);
  });

  it('that is a long title explains nothing', async () => {
    const item = '- `tide` without a harbour should print all tides';
    expect(
      await found('# No more questions before the first install\n\n## Change\n', item, '\n## Why'),
    ).toEqual([item]);
  });

  it('a title that names the work does not decide what is below it', async () => {
    const story = 'As a reader, I want a list of my loans, so that I can plan.';
    expect(await found(['# Story 1.1: Foundation and setup', '', '## Story', '', story])).toEqual([
      story,
    ]);
  });

  it('a part below a section that describes is read as a part', async () => {
    const item = '- Add a route that lists the loans';
    expect(await found([...stated, '## Implementation notes', '', '### Loans', '', item])).toEqual([
      kept,
      item,
    ]);
  });

  it.each(['Dev agent record', 'Requirements traceability', 'Completion notes', 'Issues'])(
    '"%s" tells what was done or is',
    async (heading) => {
      const item = '- The list of loans is sorted by date';
      expect(await found([...stated, `## ${heading}`, '', item])).toEqual([kept]);
    },
  );

  it('several headings of the first level are sections of a document without a title', async () => {
    const said = 'Readers can sort their loans by date.';
    expect(await found(['# Summary', '', 'Loans.', '', '# Detailed design', '', said])).toEqual([
      said,
    ]);
  });

  it('a sentence of ten words is not the name of a section', async () => {
    const lead = '**Three gaps are behind this, and we found all before writing any requirement:**';
    const item = '- The list has no order';
    expect(await found([...stated, '## Current situation', '', lead, '', item])).toEqual([kept]);
  });
});

describe('a heading of several names', () => {
  const items = ['- Tests of the lamps pass', '- The pier stays open'];

  it('is a part if only the last one explains', async () => {
    expect(await texts(...head, '## Lamp tests and evidence', '', ...items)).toEqual([
      lamps,
      ...items.map((item) => item.slice(2)),
    ]);
  });

  it.each(['Risk assessment and mitigation', 'History and evidence'])(
    'explains if the others do: %s',
    async (name) => {
      expect(await texts(...head, `## ${name}`, '', ...items)).toEqual([lamps]);
    },
  );
});

it.each(['Suggested ways to get started', 'Tips to get started', 'After pasting this prompt'])(
  'a heading about the work with a prompt explains: %s',
  (heading) => {
    expect(sectionKind(heading)).toBe('background');
  },
);

describe('headings that may be the name of a part', () => {
  const stated = ['The screen must show a list', 'The screen must be blue'];

  it.each([
    'Results',
    'Review history',
    'Today',
    'Benefits',
    'Alternatives',
    'Limitations',
    'Distribution',
    'Analysis',
    'Approval',
    'Setup',
    'Rollout',
    'Future bookings',
  ])('"%s" hides no item that binds the result [R2-031]', async (heading) => {
    const items = stated.map((text) => `- ${text}`).join('\n');
    expect(await texts(`# App\n\n## ${heading}\n\n${items}`)).toEqual(stated);
  });

  it('what others must do, and what somebody says, is still background', async () => {
    const text = '## References\n\n- RFC 1071, which checksums must follow\n- Nobody must call';
    expect(await texts(text)).toEqual([]);
  });

  it('in text that explains, only the word in capitals counts', async () => {
    const text = '## Risks\n\n- The key must not get lost\n- The key MUST be encrypted';
    expect(await texts(text)).toEqual(['The key MUST be encrypted']);
  });

  it('excluded text never counts, whatever it says', async () => {
    const text = '## Alternatives considered\n\n- The screen MUST be red\n\n# Out of scope';
    expect(await texts(text)).toEqual([]);
  });
});

describe('sections that describe', () => {
  it('a command in a summary counts as it does in a proposal [R2-038]', async () => {
    for (const heading of ['Summary', 'Overview', 'Proposal'])
      expect(await texts(`# Parser\n\n## ${heading}\n\nReject tabs in the parser.`)).toEqual([
        'Reject tabs in the parser.',
      ]);
  });

  it('not if the document names a section for its requirements', async () => {
    const text = '## Summary\n\nReject tabs.\n\n## Requirements\n\n- Tabs are an error';
    expect(await texts(text)).toEqual(['Tabs are an error']);
  });

  it('a list of one topic hides no list of another', async () => {
    const text = '# Page\n\n## Layout\n\n- Two columns\n\n## Accessibility\n\n- Names for buttons';
    expect(await texts(text)).toEqual(['Two columns', 'Names for buttons']);
  });

  it('commands and statements about all things of a kind ask in any section', async () => {
    const text = '# App\n\n## Requirements\n\n- It is fast\n\n## Words\n\nUse tabs.';
    expect(await texts(text)).toEqual(['It is fast', 'Use tabs.']);
    expect(await texts('## Design\n\nEvery action writes an entry. Every day was long.')).toEqual([
      'Every action writes an entry.',
    ]);
  });

  it('a section for requirements may describe the result, unless the text says MUST in capitals', async () => {
    const text = '## Behaviour\n\nIt closes on Escape. We talked about it. This section is short.';
    expect(await texts(text)).toEqual(['It closes on Escape.']);
    const formal = ['It MUST be fast.', 'It MUST be red.', 'It SHALL be round.'];
    expect(await texts(`${text}\n\n${formal.join('\n\n')}`)).toEqual(formal);
  });
});

describe('the title of a document', () => {
  const stated = ['# Harbour', '', '## Requirements', '', '- A berth has a number', ''];
  const [kept = ''] = stated.slice(4);

  it('names the document, and makes no requirement of each item below it', async () => {
    const lines = ['# Harbour product requirements', '', '## Features', '', kept, ''];
    expect(await found([...lines, '## Quay', '', '- Old granite'])).toEqual([kept]);
  });

  it('says that a table with identifiers lists requirements', async () => {
    const rows = ['| B1 | berth | a boat of 12 m |', '| B2 | crane | 3 tonnes |'];
    const table = ['## Overview of berths', '', '| ID | Part | Holds |', '|---|---|---|', ...rows];
    const open = table.map((line) => line.replace('Overview of berths', 'Berths'));
    const more = ['', '## Cranes', '', '- The crane turns to the left'];
    expect(await found(['# Requirements of the harbour', '', ...open, ...more])).toEqual([
      ...rows,
      more.at(-1),
    ]);
  });

  const items = [
    '## Ferry times',
    '',
    '**Acceptance criteria**:',
    '- Times are sorted by hour.',
    '- An empty day says so.',
  ];

  it('leaves nothing out where a label below it names requirements', async () => {
    expect(await found('# Harbour backlog', '', ...items)).toEqual(items.slice(3));
  });

  it('leaves out what is below it where nothing names requirements', async () => {
    expect(await found('# Harbour backlog', '', '## Ferry times', '', ...items.slice(3))).toEqual(
      [],
    );
  });

  it('does not decide for a section that leaves out', async () => {
    const later = ['## Later ideas', '', '**Acceptance criteria**:', '- Tides are shown.'];
    expect(await found('# Harbour', '', ...items, '', ...later)).toEqual(items.slice(3));
  });
});

describe('headings with two names', () => {
  const stated = ['# Harbour', '', '## Requirements', '', '- A berth has a number', ''];
  const [kept = ''] = stated.slice(4);

  it('are requirements if one of them names features', async () => {
    const items = ['- Tide clock', '- Berth map'];
    expect(await found([...stated, '## Main features & extras', '', ...items])).toEqual([
      kept,
      ...items,
    ]);
  });

  it('describe if the first names notes', async () => {
    const text = 'The radio of the crew works well.';
    expect(await found([...stated, '## Notes & colours', '', text])).toEqual([kept]);
    expect(await found([...stated, '## Radio & colours', '', text])).toEqual([kept, text]);
  });

  it('"What done looks like" contains criteria, in an appendix too', async () => {
    const text = 'A skipper opens the map and sees a free berth.';
    expect(await found([...stated, '## Appendix: what "done" looks like', '', text])).toEqual([
      kept,
      text,
    ]);
  });
});

describe('a title', () => {
  it('in bold above a text without headings is no section', async () => {
    const said = 'The system prints the tides of each harbour.';
    expect(await found('**Tides - Problem Statement**', '', said)).toEqual([said]);
    expect(await found('**Out of scope**', '', said)).toEqual([]);
  });

  it('of a design hides nothing below it', async () => {
    const said = 'We would add a list of moons.';
    const lines = ['# Tide Setup', '', '## Summary', '', 'None', '', '## Detailed design', ''];
    expect(await found(...lines, said)).toEqual([said]);
  });

  it('of three words hides nothing below it', async () => {
    const said = 'The gauge will get a new field, `height`.';
    const lines = ['# Optional Tide Dependencies', '', '## Detailed design', '', said];
    expect(await found(...lines, '', '## Drawbacks', '', 'None')).toEqual([said]);
  });
});

describe('names of sections', () => {
  it('that name a work say nothing by their last word', () => {
    expect(['Adding credits', 'Editing feedback', 'Creating examples'].map(sectionKind)).toEqual([
      'open',
      'open',
      'open',
    ]);
    expect(['Credits', 'Feedback', 'Examples'].map(sectionKind)).toEqual([
      'unclear',
      'unclear',
      'background',
    ]);
  });

  it('tell what is accepted from the review of a specification', () => {
    expect(sectionKind('Acceptance checklist')).toBe('acceptance');
    expect(sectionKind('Review & Acceptance Checklist')).toBe('excluded');
  });
});

describe('the name of a section', () => {
  it.each([
    ['AI Usage — Encouraged and Expected', 'unclear'],
    ['Suggested Time Split', 'background'],
    ['Primary User Lanes', 'background'],
    ['Sources', 'background'],
    ['Extension Opportunities', 'excluded'],
    ['QA Results', 'excluded'],
    ['Expected', 'acceptance'],
    ['Bonus', 'requirements'],
  ])('%s: %s', (name, kind) => {
    expect(sectionKind(name)).toBe(kind);
  });

  it('below features, a page is a part of the product', async () => {
    const list = ['- History of the harbour', '- Weekly tide table'];
    expect(
      await found(
        '# Site\n\n## Core Features\n\n### About Us',
        list[0] ?? '',
        '\n### Schedule',
        list[1] ?? '',
      ),
    ).toEqual(list);
  });
});

describe('a document whose sections all explain by their name', () => {
  const option = '- `--harbour` or `-p`: name of the harbour (default: `north`)';

  it('is the task itself', async () => {
    expect(await found('# Prompt', '', '## Overview', '', '## Usage', '', option)).toEqual([
      option,
    ]);
  });

  it('is none if another section may contain the task', async () => {
    const command = '- Print the tides';
    const lines = ['# Prompt', '', '## Usage', '', option, '', '## Features', '', command];
    expect(await found(...lines)).toEqual([command]);
  });

  it('stays an explanation where the section is about other things', async () => {
    expect(await found('## References', '', '- A book about tides and moons')).toEqual([]);
  });
});

describe('a section that describes a part', () => {
  it.each(['Architecture', 'Configuration', 'Data model', 'Modules', 'Detailed explanation'])(
    'says what the result is: %s',
    async (name) => {
      const statement = '- Tides are kept in one table per harbour';
      expect(await found('# Tides', '', `## ${name}`, '', statement)).toEqual([statement]);
    },
  );

  it('the description of a feature is about the result', async () => {
    const text = 'Central board with the tides of all harbours.';
    const lines = ['# Tides', '', '## Features', '', '### Board', '', '**Description:**', text];
    expect(await found(...lines)).toEqual([text]);
  });

  it('a command below "Description" counts, although another section has requirements', async () => {
    const command = 'When printing a tide, include its moon.';
    const rest = ['', '## Requirements', '', '- Tides are sorted'];
    const lines = ['# Tides', '', '## Description', '', command, ...rest];
    expect(await found(...lines)).toEqual([command, '- Tides are sorted']);
  });

  it('a command in notes on a part counts, and one in other notes does not', async () => {
    const command = '- Keep the readers of tides pure';
    const rest = ['', '## Tasks', '', '- [ ] Add the tides'];
    const partNotes = await found('# Tides', '', '## Structure notes', '', command, ...rest);
    expect(partNotes).toEqual([command, '- [ ] Add the tides']);
    const notes = await found('# Tides', '', '## Notes', '', command, ...rest);
    expect(notes).toEqual(['- [ ] Add the tides']);
  });

  it('what is planned, and what nobody shall care about, is out of scope', () => {
    expect(sectionKind('Planned/Upcoming')).toBe('excluded');
    expect(sectionKind("Don't worry about")).toBe('excluded');
    expect(sectionKind('Turning it in')).toBe('background');
  });
});

describe('a section that explains', () => {
  it('contains what has the identifier of a requirement and says what must be', async () => {
    const items = ['- **FR-001**: Gauges are sorted by name', '- FR-002 Show the height in metres'];
    expect(await found('# Tides', '', '## System context', '', ...items)).toEqual(items);
    const covered = '- FR-001: covered by a test';
    expect(await found('# Tides', '', '## Traceability', '', covered)).toEqual([]);
  });

  it('contains what is proposed', async () => {
    const said = 'We propose to read the gauge every hour.';
    expect(await found('# Tides', '', '## Motivation', '', said)).toEqual([said]);
    expect(isProposal('This RFC proposes one list for all gauges')).toBe(true);
    expect(isProposal('We will read the gauge')).toBe(false);
  });
});

describe('sections of a proposal', () => {
  const stated = ['# Harbour', '', '## Requirements', '', '- A berth has a number', ''];
  const [, , , , kept = ''] = stated.map((line) => line.replace('- ', ''));

  const proposal = ['# Tide cache', '', '## Proposed solution', ''];

  it.each([
    'We keep the tides of a week in memory.',
    'You can turn the cache off with `--no-cache`.',
    'To save memory, users can name a smaller harbour.',
    'This proposal would replace the old table of tides.',
  ])('"%s" says what the result is', async (text) => {
    expect(await texts([...proposal, text])).toEqual([text]);
  });

  it.each(['You can see that the harbour is old.', 'We think a lot about the tides.'])(
    '"%s" does not',
    async (text) => {
      expect(await texts([...proposal, text])).toEqual([]);
    },
  );

  it('elsewhere, what we do and what you can do is today', async () => {
    const lines = ['## Harbour today and its crew', '', 'We keep tides in a book.', ''];
    expect(await texts([...stated, ...lines, 'You can buy the book.'])).toEqual([kept]);
  });
});

describe('a clause that binds in a section that explains', () => {
  it.each([
    'Pilots come by boat; the pier must have a ladder.',
    '**Pilots** – every pilot must have a key.',
  ])('asks: %s', async (item) => {
    expect(await texts(...head, '## Context', '', `- ${item}`)).toEqual([lamps, item]);
  });

  it.each(['4712: pilot must log in', 'A new pier: every lamp must be moved'])(
    'is a remark after a colon: %s',
    async (item) => {
      expect(await texts(...head, '## Context', '', `- ${item}`)).toEqual([lamps]);
    },
  );
});

describe('parts of documents', () => {
  it('what will not be had is excluded, risks and impact explain', async () => {
    expect(
      await found([
        '## Must have\n\n- Login with a name\n\n## Will not have\n\n- Login with a card',
      ]),
    ).toEqual(['- Login with a name']);
    expect(
      await found([
        '## Must have\n\n- Login with a name\n\n## Risk assessment & mitigation\n',
        '1. **Outage**: servers fail\n   - **Fallback**: Use the other server only\n',
        '## Impact\n\n- 12 % more orders',
      ]),
    ).toEqual(['- Login with a name']);
  });

  it('a colon inside parentheses makes no label', async () => {
    expect(
      await found([
        '## Requirements\n\n- Example (default: 48 kHz)\n- Example: 48 kHz of the test file',
      ]),
    ).toEqual(['- Example (default: 48 kHz)']);
  });

  it('a colon ends no sentence that goes on in small letters, and a purpose is no ability', async () => {
    expect(
      await found([
        'Storage is the same kind of thing as the time:',
        'state that is handed in so that it can be replaced.',
      ]),
    ).toEqual([]);
  });

  it('where the document says what it wants, columns do, too', async () => {
    expect(
      await found([
        '| Version | As a ... | I want to ... |\n|---|---|---|',
        '| v1 | guest | see the opening hours |',
      ]),
    ).toEqual(['| v1 | guest | see the opening hours |']);
  });

  it('what nobody needs to do is no obligation', async () => {
    expect(
      await found(['Tickets do not actually need to be closed.', 'Loans need to be closed.']),
    ).toEqual(['Loans need to be closed.']);
  });

  it('an outcome after another action is one more', async () => {
    const steps = [
      '#### Scenario: twice',
      '- **WHEN** it is saved',
      '- **THEN** the status is 200',
      '- **WHEN** it is saved again',
      '- **THEN** the status is 200',
    ];
    expect(await found(steps)).toEqual([steps[2], steps[4]]);
  });
});
