import { describe, expect, it } from 'vitest';
import { isAside } from '../../../src/requirements/aside.js';
import { isAction, isCommand, isDecision } from '../../../src/requirements/demand.js';
import { explicitRequirements } from '../../../src/requirements/explicit-requirements.js';
import { statedStrength } from '../../../src/requirements/obligation.js';
import { sectionKind } from '../../../src/requirements/sections.js';

/** The lines that are found, as they were written. */
async function found(...lines: string[]): Promise<string[]> {
  return (await explicitRequirements(lines.join('\n'))).map(({ line }) => lines[line - 1] ?? '');
}

describe('a sentence to the person who builds', () => {
  it.each([
    'You must use the existing table of tides.',
    'You need to work within the present layout.',
    'You are required to log every refusal.',
    'You should add a test for each tide.',
  ])('%s', async (text) => {
    expect(await found('# Tides', '', text)).toEqual([text]);
  });

  it.each([
    'You must work alone.',
    'You have to submit the link by mail.',
    'You should look at the harbour first.',
    'When you are ready, send us the link.',
    'You have been asked to help a harbour.',
  ])('is none if it is about the person: %s', (text) => {
    expect(isAside(text)).toBe(true);
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

describe('a sentence about today', () => {
  it.each([
    'The current form lacks a field for the harbour.',
    'Two requests are creating wrong bookings.',
    'Sailors have reported that the chart is wrong.',
    'During a recent storm the page was slow.',
    'Historically, tides come from a table.',
  ])('%s', (text) => {
    expect(isAside(text)).toBe(true);
  });

  it('is none if only a clause of it is', () => {
    expect(isAside('The user can remove a chart that is currently in the list.')).toBe(false);
    expect(isAside('The list shows recent tides.')).toBe(false);
  });
});

describe('what a sentence without a verb is', () => {
  it('no requirement in running text below a heading, without a full stop', async () => {
    const asks = 'The chart opens with the tide of today';
    expect(
      await found('# Harbour', '', '## Chart', '', 'A calm map of the whole bay', '', asks),
    ).toEqual([asks]);
  });
});

describe('a callout', () => {
  it('is read, since its author says it', async () => {
    expect(
      await found(
        '## Work',
        '',
        '> [!IMPORTANT]',
        '> Do not change the tide table.',
        '',
        '> **Important:** You must keep the old addresses.',
        '',
        '> You must have seen this harbour!',
      ),
    ).toEqual([
      '> Do not change the tide table.',
      '> **Important:** You must keep the old addresses.',
    ]);
  });
});

describe('a line that leads', () => {
  it('to code only shows it, unless it asks', async () => {
    const code = ['', '```json', '{}', '```', ''];
    expect(
      await found(
        '## Output',
        '',
        'The shape of a chart is the following:',
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

describe('a heading', () => {
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
      await found(
        '# No more questions before the first install',
        '',
        '## Change',
        '',
        item,
        '',
        '## Why',
      ),
    ).toEqual([item]);
  });
});

describe('a row', () => {
  it('with the identifier of a requirement is one in any language', async () => {
    const rows = ['| FR-ZEIT-01 | Gezeiten eines Tages | P0 |', '| FR-ZEIT-02 | Wind | P1 |'];
    expect(
      await found('## Funktionen', '', '| Nr | Text | Rang |', '|---|---|---|', ...rows),
    ).toEqual(rows);
  });

  it('that allows nothing else is one', async () => {
    const row = '| Language | Lua 5.1 (no later version allowed) |';
    expect(
      await found('## Stack', '', '| Part | Detail |', '|---|---|', row, '| Map | SVG |'),
    ).toEqual([row]);
    expect(statedStrength(row)).toBe('MUST');
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

it('a wish after a sentence about today is one', async () => {
  const text = 'Today the page shows one tide. It would be nice if it showed two.';
  const read = await explicitRequirements(['# Tide', '', text].join('\n'));
  expect(read.map((one) => one.text)).toEqual(['It would be nice if it showed two.']);
});
