import { describe, expect, it } from 'vitest';
import { statedStrength } from '@/requirements/obligation.js';
import { extracted, found, texts } from './support.js';

const head = ['# Harbour', '', '## Requirements', '', '- Lamps for the pier', ''];
const lamps = 'Lamps for the pier';
const title = ['# Tide tables', '', '## Requirements', '', '- Show the tides', ''];
const stated = ['# Harbour', '', '## Requirements', '', '- A berth has a number', ''];
const [, , , , kept = ''] = stated.map((line) => line.replace('- ', ''));
/** A section with a table. */
function section(heading: string, header: string, rows: readonly string[]): string[] {
  const dashes = header.replace(/[^|]+/g, '---');
  return ['# Tides', '', `## ${heading}`, '', header, dashes, ...rows];
}

describe('a table', () => {
  const rows = ['| Start of the lamp | 20 ms | one bulb |', '| Chart | < 1.5 s | |'];

  it('asks by a column of limits', async () => {
    const table = ['| Step | Budget (cold) | Notes |', '|---|---|---|', ...rows];
    expect(await texts('# Harbour', '', '## Steps', '', ...table)).toHaveLength(2);
  });

  it.each(['€ 300', '300 €', 'large', '20 ms or 300 $'])('does not by %s', async (value) => {
    const table = ['| Step | Budget |', '|---|---|', `| Lamp | ${value} |`];
    expect(await texts(...head, '## Steps', '', ...table)).toEqual([lamps]);
  });

  it('says by its columns what it asks, whatever the line above says', async () => {
    const pages = ['| `/tides` | Chart of all tides |', '| `/lamps` | List of the lamps |'];
    const table = ['| Route | Purpose |', '|---|---|', ...pages];
    expect(await texts('## Site', '', 'It currently has these routes:', '', ...table)).toEqual([
      '`/tides` | Chart of all tides',
      '`/lamps` | List of the lamps',
    ]);
  });

  it('of endpoints asks by its columns', async () => {
    const rows = [
      '| Method | Path | Description |',
      '|---|---|---|',
      '| GET | /tides | Get all tides |',
    ];
    expect(await texts('# Tides', '', ...rows)).toEqual(['GET | /tides | Get all tides']);
  });

  it('of numbers asks nothing', async () => {
    const rows = ['| lat | lon |', '|---|---|', '| 25.86 | -97.42 |'];
    expect(await texts('Limit the list to these piers:', '', ...rows)).toEqual([
      'Limit the list to these piers:',
    ]);
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
    const texts = await extracted('# Tides', '', '## Routing', '', ...table('Source', 'Strategy'));
    expect(texts).toHaveLength(3);
    expect(texts[0]).toBe('North pier | One reading a minute');
  });

  it.each([
    ['Step', 'Tool'],
    ['Aspect', 'Finding'],
    ['Username', 'Place'],
  ])('does not ask with what people do or found: %s, %s', async (...columns) => {
    expect(await extracted(...title, '## Routing', '', ...table(...columns))).toEqual([
      'Show the tides',
    ]);
  });

  it('does not ask right below the title', async () => {
    const texts = await extracted(
      '# Tides\n',
      ...table('Source', 'Strategy'),
      '\n- Show the tides',
    );
    expect(texts).not.toContain('North pier | One reading a minute');
  });
});

describe('a table of names in code', () => {
  const rule = '|---|---|---|';

  it('says what each part is, without a column for requirements', async () => {
    const rows = [
      '| `tide` | server | Sorted by hour. Skips empty days. |',
      '| `moon` | client | Phase of the moon |',
    ];
    const table = ['| Tool | Place | Remarks |', rule, ...rows];
    expect(await found('# Gauges', '', '## Tool surface', '', ...table)).toEqual(rows);
  });

  it('asks nothing as a list of parameters, terms, or of names and words', async () => {
    const rows = ['| `days` | 7 | Days in one list |', '| `zone` | UTC | Zone of the hours |'];
    const read = (head: string, lines: string[]): Promise<string[]> =>
      found('# Gauges', '', '## Harbour', '', head, rule, ...lines);
    expect(await read('| Key | Default | Meaning |', rows)).toEqual([]);
    expect(await read('| Term | Unit | Meaning |', rows)).toEqual([]);
    const mixed = rows.map((row, index) => (index === 0 ? row : row.replaceAll('`', '')));
    expect(await read('| Key | Place | Meaning |', mixed)).toEqual([]);
    expect(await read('| Key | Place | Meaning |', rows.slice(1))).toEqual([]);
    expect(await read('| Key | Place | Meaning |', rows)).toEqual(rows);
  });
});

describe('a name in code', () => {
  it('is no word for a section, so that its steps ask', async () => {
    const steps = ['1. `copy tides.bin` (signed)', '2. Start the gauge'];
    const text = ['# Tides', '', '## Delivery', '', '`make install`:', '', ...steps];
    expect(await found(...text)).toEqual(steps);
  });

  it('after a label for what is proposed, or as a call, is a part of the interface', async () => {
    const asks = ['**Proposed tool:** `tide_list`', '**Reading:** `tide_read(gauge, day)`'];
    const none = ['**Current tool:** `tide_old()`', '**Problem:** `tide_all` returns each hour.'];
    const text = [...asks, ...none].flatMap((line) => ['', line]);
    expect(await found('# Tides', '', '## 1. Lists', ...text)).toEqual(asks);
  });
});

it.each(['Outcome', 'Action', 'Events'])(
  'tables of what happens each row below "%s" asks',
  async (column) => {
    const rows = ['| no loan | an empty list |', '| late | a red row |'];
    expect(await found([`| Situation | ${column} |`, '|---|---|', ...rows])).toEqual(rows);
  },
);

describe('tables', () => {
  const rows = ['| Map | 2 MB | 1 MB |', '| Tide clock | none | a round one |'];
  const cells = rows.map((row) => row.slice(2, -2));

  it.each([
    ['Today', 'With the cache'],
    ['Current', 'Proposed'],
    ['Before', 'After'],
  ])('that compare "%s" and "%s" ask', async (from, to) => {
    expect(
      await texts(['## Parts', '', `| Part | ${from} | ${to} |`, '|--|--|--|', ...rows]),
    ).toEqual(cells);
  });

  it('of measures do not', async () => {
    const table = ['| Metric | Baseline | After |', '|--|--|--|', '| Calls a day | 40 | 10 |'];
    expect(await texts([...stated, '## Numbers', '', ...table])).toEqual([kept]);
  });

  it.each([
    ['Decision', 'Choice'],
    ['Challenge', 'Planned solution'],
    ['Command', 'Purpose'],
  ])('with the columns "%s" and "%s" ask', async (first, second) => {
    const table = [`| ${first} | ${second} |`, '|--|--|', '| fetch | the tides of a week |'];
    expect(await texts([...stated, '## Tides', '', ...table])).toEqual([
      kept,
      'fetch | the tides of a week',
    ]);
  });

  it('of names and numbers are samples', async () => {
    const table = ['| Flag | Number |', '|--|--|', '| Red | 4711 |', '| Blue | 4712 |'];
    const lines = ['# Harbour', '', '## Requirements', '', 'A flag must have a number.', ''];
    expect(await texts([...lines, ...table])).toEqual(['A flag must have a number.']);
  });

  it('in a section for requirements ask, unless they list people or words', async () => {
    const row = '| Quay | two cranes |';
    const table = ['|--|--|', row];
    const scope = ['# Harbour', '', '## In scope', ''];
    expect(await texts([...scope, '| Area | Holds |', ...table])).toEqual(['Quay | two cranes']);
    expect(
      await texts([...scope, '| Role | Holds |', ...table, '', '- A berth has a number']),
    ).toEqual([kept]);
  });
});

describe('a table about people', () => {
  it('counts by its column of what they may do', async () => {
    const rows = ['| Keeper | Edit and delete gauges |', '| Guest | Read gauges |'];
    for (const column of ['Permissions', 'Can do', 'What they can do', 'Access rights'])
      expect(await found(...section('Users', `| Role | ${column} |`, rows)), column).toEqual(rows);
  });

  it('counts by a cell that begins with "can", and not by who they are', async () => {
    const rows = ['| Keeper | Can edit gauges |', '| Fisher | Lives by the sea |'];
    const lines = section('Roles', '| Role | Description |', rows);
    expect(await found(...lines)).toEqual([rows[0]]);
  });

  it('so does a list', async () => {
    const items = ['- **Keeper**: can edit gauges', '- **Fisher**: lives by the sea'];
    expect(await found('# Tides', '', '## Users', '', ...items)).toEqual([items[0]]);
  });
});

describe('a table of risks', () => {
  const header = '| Risk | Impact | Mitigation |';

  it('counts by a remedy that is a part of the result', async () => {
    const rows = ['| Slow list | High | Rate limiting, pages of 50 gauges |'];
    expect(await found(...section('Risks', header, rows))).toEqual(rows);
    const other = section('Risks', '| Risk | How we mitigate |', ['| Slow list | Cached pages |']);
    expect(await found(...other)).toEqual(['| Slow list | Cached pages |']);
  });

  it.each([
    '| Nobody uses it | Low | Thorough training |',
    '| Delays | High | Regular reviews with stakeholders |',
    '| Costs | Low | Free tier is sufficient |',
    '| Storms | Low | No change |',
  ])('does not count by the work of people, or by a judgement: %s', async (row) => {
    expect(await found(...section('Risks', header, [row]))).toEqual([]);
  });
});

describe('a table of features', () => {
  it('leaves out a row that is for later', async () => {
    const rows = ['| Gauges | MVP |', '| Moons | Later |', '| Waves | Post-MVP |'];
    expect(await found(...section('Scope', '| Feature | Release |', rows))).toEqual([rows[0]]);
  });

  it('may say what each part is for', async () => {
    const rows = ['| Harbour | Lists all tides of a day |', '| Map | All harbours at once |'];
    expect(await found(...section('Layout', '| Screen | Purpose |', rows))).toEqual(rows);
    expect(await found(...section('Layout', '| Word | Purpose |', ['| Ebb | low tide |']))).toEqual(
      [],
    );
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

describe('tables and properties', () => {
  it('a table of technologies says what the result uses', async () => {
    const row = '| Store | One file per harbour |';
    const lines = ['# Tides', '', '## Tech stack', '', '| Layer | Technology |', '|---|---|', row];
    expect(await found(...lines)).toEqual([row]);
  });

  it('a mitigation counts if it commands a change of the result', async () => {
    const rows = [
      '| Lost tides | Add a backup |',
      '| Delays | Review the plan |',
      '| Fog | Luck |',
    ];
    const head = ['| Risk | Mitigation |', '|---|---|'];
    expect(await found('# Tides', '', '## Risks', '', ...head, ...rows)).toEqual([rows[0]]);
  });

  it('a property of the result counts, and the data of the document do not', async () => {
    const lines = ['# Tides', '', '## Overview', ''];
    const data = ['**Version:** 1.0', '**Owner:** Mia'];
    const named = [
      '**Platform:** a web page for phones',
      '**File name:** `tides.html` in one file',
    ];
    expect(await found(...lines, ...data, ...named)).toEqual(named);
  });

  it('a source in brackets is no gap of a template', async () => {
    const item = '- **Runtime:** Node [Source: tides/stack.md]';
    expect(await found('# Tides', '', '## Structure', '', item)).toEqual([item]);
  });
});

it('a table of documents is an index', async () => {
  const table = (end: string) => [
    '| Part | Remarks |',
    '|---|---|',
    `| \`TIDES${end}\` | How the tide is counted |`,
    `| \`BOATS${end}\` | How boats are named |`,
  ];
  const head = ['# Harbour', '', '## Parts', ''];
  expect(await found(...head, ...table('.md'))).toEqual([]);
  expect(await found(...head, ...table('.count'))).toEqual(table('.count').slice(2));
});
