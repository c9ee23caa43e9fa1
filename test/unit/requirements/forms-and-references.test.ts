import { describe, expect, it } from 'vitest';
import { RequirementExtractor } from '../../../src/requirements/index.js';
import { sectionKind } from '../../../src/requirements/sections.js';

async function found(...lines: string[]): Promise<string[]> {
  const requirements = await new RequirementExtractor().extract(lines.join('\n'));
  return requirements.filter(({ kind }) => kind !== 'whole').map(({ text }) => text);
}

const title = ['# Tide tables', '', '## Requirements', '', '- Show the tides', ''];

describe('a fence', () => {
  it('whose lines bind contains requirements', async () => {
    const duties = [
      '1.The service shall read a table of tides from a file.',
      '2.The service shall show the next tide of each pier.',
      '3.The service shall warn of a flood.',
    ];
    const texts = await found('# Task', '', 'Write a service.', '', '```', ...duties, '```');
    expect(texts.filter((text) => text.includes('shall'))).toHaveLength(3);
  });

  it('of which few lines bind stays an example', async () => {
    const shown = ['tide 1 must rise', 'open the gate', 'close the gate', 'count the ships again'];
    expect(await found(...title, '```', ...shown, '```')).toEqual(['Show the tides']);
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
    expect(await found(...title, `## ${heading}`, '', ...items)).toEqual(['Show the tides']);
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
    expect(await found(...title, lead, '', ...items)).toEqual(['Show the tides']);
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
    expect(await found(...title, line)).toEqual(['Show the tides']);
  });
});

describe('what stands in a list', () => {
  it('is asked for by the aim it states', async () => {
    const item = 'To allow the visitor three views side by side';
    expect(await found('# Page', '', '## Features', '', `- ${item}`)).toEqual([item]);
  });

  it('is a property where it gives a color, whatever its label means elsewhere', async () => {
    const item = 'Background: cream (#fefdf8)';
    expect(await found('# Page', '', '## Colors', '', `- ${item}`)).toEqual([item]);
    expect(await found(...title, '- Background: issue #12 of the pier')).toEqual([
      'Show the tides',
    ]);
  });

  it.each([
    'Make sure to open the file as Latin-1.',
    'For full credit, make sure to follow the style guide.',
  ])('binds among hints and notes on submission: %s', async (item) => {
    expect(await found(...title, '## Hints', '', `- ${item}`)).toEqual(['Show the tides', item]);
  });

  it('is the work of a student where it is handed in', async () => {
    const item = '- Make sure to submit the link before Friday.';
    expect(await found(...title, '## Submission', '', item)).toEqual(['Show the tides']);
  });
});

describe('a table below a heading of its own', () => {
  const table = (...columns: string[]): string[] => [
    `| ${columns.join(' | ')} |`,
    '| --- | --- |',
    '| North pier | One reading a minute |',
    '| South pier | One reading an hour |',
    '| Old pier | The last known tide |',
  ];

  it('asks with each row that says what a part does', async () => {
    const texts = await found('# Tides', '', '## Routing', '', ...table('Source', 'Strategy'));
    expect(texts).toHaveLength(3);
    expect(texts[0]).toBe('North pier | One reading a minute');
  });

  it.each([
    ['Step', 'Tool'],
    ['Aspect', 'Finding'],
    ['Username', 'Place'],
  ])('does not ask with what people do or found: %s, %s', async (...columns) => {
    expect(await found(...title, '## Routing', '', ...table(...columns))).toEqual([
      'Show the tides',
    ]);
  });

  it('does not ask right below the title', async () => {
    const texts = await found(
      '# Tides',
      '',
      ...table('Source', 'Strategy'),
      '',
      '- Show the tides',
    );
    expect(texts).not.toContain('North pier | One reading a minute');
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
      expect(await found(...story, `## ${heading}`, '', ...tasks)).toEqual([
        'The tides are shown',
        'Add a table of tides',
      ]);
    },
  );

  it('ask for what they check below any other heading', async () => {
    const tasks = ['- [ ] Verify access with the profile of the harbour'];
    expect(await found(...story, '## Work', '', ...tasks)).toHaveLength(2);
  });
});

describe('a sentence about people and benefits', () => {
  it.each([
    'Many users prefer a dark page in the evening.',
    'Providing a switch improves the comfort of the crew.',
    'Show me the drawer of the harbour page.',
  ])('asks nothing: %s', async (sentence) => {
    expect(await found(...title, `- ${sentence}`)).toEqual(['Show the tides']);
  });

  it.each(['Many users can log in at once.', 'Providing a chart is possible in each view.'])(
    'is not confused with a requirement: %s',
    async (sentence) => {
      expect(await found(...title, `- ${sentence}`)).toEqual(['Show the tides', sentence]);
    },
  );
});

describe('a heading about the work with a prompt', () => {
  it.each(['Suggested ways to get started', 'Tips to get started', 'After pasting this prompt'])(
    'explains: %s',
    (heading) => {
      expect(sectionKind(heading)).toBe('background');
    },
  );
});
