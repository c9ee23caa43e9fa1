import { describe, expect, it } from 'vitest';
import { explicitRequirements } from '../../../src/requirements/explicit-requirements.js';

/** The lines that are found, as they were written. */
async function found(lines: readonly string[]): Promise<string[]> {
  return (await explicitRequirements(lines.join('\n'))).map(({ line }) => lines[line - 1] ?? '');
}

const stated = ['# Library', '', '## Requirements', '', '- A loan ends after 28 days', ''];
const [kept = ''] = stated.slice(4);

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

describe('headings', () => {
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

describe('questions and answers', () => {
  it('an answer in brackets asks, although it begins with a pronoun', async () => {
    const item = '- What happens to late loans? (They should be shown in red.)';
    expect(await found([...stated, '### Edge cases', '', item])).toEqual([kept, item]);
  });
});

describe('tables of what happens', () => {
  it.each(['Outcome', 'Action', 'Events'])('each row below "%s" asks', async (column) => {
    const rows = ['| no loan | an empty list |', '| late | a red row |'];
    expect(await found([`| Situation | ${column} |`, '|---|---|', ...rows])).toEqual(rows);
  });
});
