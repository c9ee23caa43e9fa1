import { describe, expect, it } from 'vitest';
import { explicitRequirements } from '../../../src/requirements/explicit-requirements.js';

/** The texts that are found. */
async function read(lines: readonly string[]): Promise<string[]> {
  return (await explicitRequirements(lines.join('\n'))).map(({ text }) => text);
}

const stated = ['# Harbour', '', '## Requirements', '', '- A berth has a number', ''];
const [, , , , kept = ''] = stated.map((line) => line.replace('- ', ''));

describe('a document that talks to its reader', () => {
  const talk =
    'You get a harbour. You know boats. Your boat floats, and you like that you have it.';
  const fact = 'Boats of this class carry a sail of cotton.';

  it('tells what exists by its plain statements', async () => {
    expect(await read(['# Boats', '', '## Start', '', talk, '', fact])).toEqual([]);
    expect(await read(['# Boats', '', '## Start', '', fact])).toEqual([fact]);
  });

  it('asks by commands, obligations and what the product does', async () => {
    const asks = ['Add a mast to each boat.', 'Each boat must float.', 'The page shows all boats.'];
    expect(await read(['# Boats', '', '## Start', '', talk, '', asks.join(' ')])).toEqual(asks);
  });

  it('asks by its plain statements where it names the design', async () => {
    expect(await read(['# Boats', '', '## Start', '', talk, '', '## Design', '', fact])).toEqual([
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
    expect(await read(['# Task', '', '## Part 1', '', text])).toEqual([text]);
  });

  it.each([
    'You will write a small program in Python.',
    'You will review an old harbour plan with many faults.',
    'Explain what you would do with more time.',
    'Be ready to show what you built.',
  ])('"%s" is none', async (text) => {
    expect(await read([...stated, '## Part 1', '', text])).toEqual([kept]);
  });
});

describe('sections of a proposal', () => {
  const proposal = ['# Tide cache', '', '## Proposed solution', ''];

  it.each([
    'We keep the tides of a week in memory.',
    'You can turn the cache off with `--no-cache`.',
    'To save memory, users can name a smaller harbour.',
    'This proposal would replace the old table of tides.',
  ])('"%s" says what the result is', async (text) => {
    expect(await read([...proposal, text])).toEqual([text]);
  });

  it.each(['You can see that the harbour is old.', 'We think a lot about the tides.'])(
    '"%s" does not',
    async (text) => {
      expect(await read([...proposal, text])).toEqual([]);
    },
  );

  it('elsewhere, what we do and what you can do is today', async () => {
    const lines = ['## Harbour today and its crew', '', 'We keep tides in a book.', ''];
    expect(await read([...stated, ...lines, 'You can buy the book.'])).toEqual([kept]);
  });
});

describe('an introduction', () => {
  it('asks where it says what the product does', async () => {
    const text = 'The app lists the berths of a harbour.';
    expect(await read([...stated, '## Overview', '', text])).toEqual([kept, text]);
  });

  it('does not where it only says what for', async () => {
    const text = 'Checks the tides to ensure users can plan.';
    expect(await read([...stated, '## Purpose', '', text])).toEqual([kept]);
  });
});

describe('a sentence', () => {
  it('does not end at a line that goes on', async () => {
    const lines = ['A boat gets a berth of the', 'Harbour North (see', 'Map 4) if it is free.'];
    expect(await read(['# Harbour', '', '## Berths', '', ...lines])).toEqual([lines.join(' ')]);
  });

  it('does not end inside of code', async () => {
    const text = 'The service SHALL return `{ name, berth? }` and the tide.';
    expect(await read(['# Harbour', '', text])).toEqual([text]);
  });
});

describe('tables', () => {
  const rows = ['| Map | 2 MB | 1 MB |', '| Tide clock | none | a round one |'];
  const texts = rows.map((row) => row.slice(2, -2));

  it.each([
    ['Today', 'With the cache'],
    ['Current', 'Proposed'],
    ['Before', 'After'],
  ])('that compare "%s" and "%s" ask', async (from, to) => {
    expect(
      await read(['## Parts', '', `| Part | ${from} | ${to} |`, '|--|--|--|', ...rows]),
    ).toEqual(texts);
  });

  it('of measures do not', async () => {
    const table = ['| Metric | Baseline | After |', '|--|--|--|', '| Calls a day | 40 | 10 |'];
    expect(await read([...stated, '## Numbers', '', ...table])).toEqual([kept]);
  });

  it.each([
    ['Decision', 'Choice'],
    ['Challenge', 'Planned solution'],
    ['Command', 'Purpose'],
  ])('with the columns "%s" and "%s" ask', async (first, second) => {
    const table = [`| ${first} | ${second} |`, '|--|--|', '| fetch | the tides of a week |'];
    expect(await read([...stated, '## Tides', '', ...table])).toEqual([
      kept,
      'fetch | the tides of a week',
    ]);
  });

  it('of names and numbers are samples', async () => {
    const table = ['| Flag | Number |', '|--|--|', '| Red | 4711 |', '| Blue | 4712 |'];
    const lines = ['# Harbour', '', '## Requirements', '', 'A flag must have a number.', ''];
    expect(await read([...lines, ...table])).toEqual(['A flag must have a number.']);
  });

  it('in a section for requirements ask, unless they list people or words', async () => {
    const row = '| Quay | two cranes |';
    const table = ['|--|--|', row];
    const scope = ['# Harbour', '', '## In scope', ''];
    expect(await read([...scope, '| Area | Holds |', ...table])).toEqual(['Quay | two cranes']);
    expect(
      await read([...scope, '| Role | Holds |', ...table, '', '- A berth has a number']),
    ).toEqual([kept]);
  });
});
