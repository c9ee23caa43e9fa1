import { describe, expect, it } from 'vitest';
import { RequirementExtractor } from '../../../src/requirements/index.js';
import { sectionKind } from '../../../src/requirements/sections.js';

async function found(...lines: string[]): Promise<string[]> {
  const requirements = await new RequirementExtractor().extract(lines.join('\n'));
  return requirements.filter(({ kind }) => kind !== 'whole').map(({ text }) => text);
}

const title = ['# Tide tables', '', '## Requirements', ''];

describe('a line above a list', () => {
  it.each([
    'The service must store each change in one transaction with:',
    'At the end, the visitor must submit a short survey:',
    'The system SHALL provide the command `tides verify` which:',
    'Each change SHALL be recorded in the table `changes`:',
  ])('asks itself if it has an object: %s', async (line) => {
    expect(await found(...title, line, '', '- The time', '- The pier')).toEqual([
      line,
      'The time',
      'The pier',
    ]);
  });

  it.each(['The page must show:', 'The page must include all of the following items:'])(
    'only announces its parts: %s',
    async (line) => {
      expect(await found(...title, line, '', '- The time', '- The pier')).toEqual([
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
    const texts = await found('# Tides', '', '## Acceptance criteria', '', ...steps);
    expect(texts).toHaveLength(3);
    expect(texts[0]).toContain('must write an immutable record');
  });

  it('that a reader needs to make asks with its items', async () => {
    const lead = 'Here is the list of changes you need to make to achieve this:';
    const items = ['Load the tides from the server', 'Replace the old list'];
    const list = items.map((item, index) => `${index + 1}. ${item}`);
    expect(await found('# Tides', '', '## Introduction', '', lead, '', ...list)).toEqual(items);
  });

  it('that only tells of people hides no duty below it', async () => {
    const lead = 'For the implementation we need two more steps:';
    const duty = 'The `Tides` loop must be aware of the pier.';
    const below = async (heading: string) => found(...title, heading, '', lead, '', `- ${duty}`);
    expect(await below('## Scheduling')).toContain(duty);
    expect(await below('## Background')).not.toContain(duty);
  });

  it('that names duties counts below a heading that explains', async () => {
    const items = ['- Runs every case', '- Report: the rate of each case'];
    const below = async (label: string) => found('# Tides', '', '## Context', '', label, ...items);
    expect(await below('Required:')).toEqual(['Runs every case', 'Report: the rate of each case']);
    expect(await below('Goals:')).toEqual([]);
  });
});

describe('a heading', () => {
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
});

describe('where work is graded or explained', () => {
  it.each([
    'Make sure your code compiles on the server of the course.',
    'A list that uses anything else than channels will receive 0 credit.',
    'Read the paper. Your implementation should treat a full buffer as an error.',
  ])('what binds the work asks: %s', async (item) => {
    expect(await found('# Tides', '', '## Grading', '', `- ${item}`)).toEqual([item]);
  });

  it('the rest does not', async () => {
    const items = ['- Tests count for 40 points', '- Good names are valued'];
    expect(await found(...title, 'Show the tides.', '', '## Grading', '', ...items)).toEqual([
      'Show the tides.',
    ]);
  });

  it('a remark that forbids asks', async () => {
    const remark = 'Please note that locks are NOT allowed.';
    expect(await found(...title, remark)).toEqual([remark]);
  });
});
