import { describe, expect, it } from 'vitest';
import { explicitRequirements } from '../../../src/requirements/explicit-requirements.js';

/** The lines that are found, as they were written. */
async function found(lines: readonly string[]): Promise<string[]> {
  return (await explicitRequirements(lines.join('\n'))).map(({ line }) => lines[line - 1] ?? '');
}

const stated = ['# Harbour', '', '## Requirements', '', '- A berth has a number', ''];
const [kept = ''] = stated.slice(4);

describe('the title of a document', () => {
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
});

describe('headings with two names', () => {
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

describe('parts of a plan', () => {
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

describe('a sentence that leads to a list', () => {
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
});

describe('risks and assumptions', () => {
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
