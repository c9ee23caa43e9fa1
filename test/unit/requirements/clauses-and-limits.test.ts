import { describe, expect, it } from 'vitest';
import { explicitRequirements } from '../../../src/requirements/explicit-requirements.js';

async function found(...lines: string[]): Promise<string[]> {
  return (await explicitRequirements(lines.join('\n'))).map(({ text }) => text);
}

const head = ['# Harbour', '', '## Requirements', '', '- Lamps for the pier', ''];
const lamps = 'Lamps for the pier';

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
  it('is no name of a section', async () => {
    const rules = ['Buoys carry a lamp.', 'No boat enters the harbour.'];
    const list = ['If a boat carries fish:', ...rules.map((rule) => `- ${rule}`)];
    expect(await found(...head, '### Storm', '', ...list)).toEqual([lamps, ...rules]);
  });
});

describe('a clause that binds in a section that explains', () => {
  it.each([
    'Pilots come by boat; the pier must have a ladder.',
    '**Pilots** – every pilot must have a key.',
  ])('asks: %s', async (item) => {
    expect(await found(...head, '## Context', '', `- ${item}`)).toEqual([lamps, item]);
  });

  it.each(['4712: pilot must log in', 'A new pier: every lamp must be moved'])(
    'is a remark after a colon: %s',
    async (item) => {
      expect(await found(...head, '## Context', '', `- ${item}`)).toEqual([lamps]);
    },
  );
});

describe('a table', () => {
  const rows = ['| Start of the lamp | 20 ms | one bulb |', '| Chart | < 1.5 s | |'];

  it('asks by a column of limits', async () => {
    const table = ['| Step | Budget (cold) | Notes |', '|---|---|---|', ...rows];
    expect(await found('# Harbour', '', '## Steps', '', ...table)).toHaveLength(2);
  });

  it.each(['€ 300', '300 €', 'large', '20 ms or 300 $'])('does not by %s', async (value) => {
    const table = ['| Step | Budget |', '|---|---|', `| Lamp | ${value} |`];
    expect(await found(...head, '## Steps', '', ...table)).toEqual([lamps]);
  });

  it('says by its columns what it asks, whatever the line above says', async () => {
    const pages = ['| `/tides` | Chart of all tides |', '| `/lamps` | List of the lamps |'];
    const table = ['| Route | Purpose |', '|---|---|', ...pages];
    expect(await found('## Site', '', 'It currently has these routes:', '', ...table)).toEqual([
      '`/tides` | Chart of all tides',
      '`/lamps` | List of the lamps',
    ]);
  });
});

describe('a heading of several names', () => {
  const items = ['- Tests of the lamps pass', '- The pier stays open'];

  it('is a part if only the last one explains', async () => {
    expect(await found(...head, '## Lamp tests and evidence', '', ...items)).toEqual([
      lamps,
      ...items.map((item) => item.slice(2)),
    ]);
  });

  it.each(['Risk assessment and mitigation', 'History and evidence'])(
    'explains if the others do: %s',
    async (name) => {
      expect(await found(...head, `## ${name}`, '', ...items)).toEqual([lamps]);
    },
  );
});

describe('what the reader shall do', () => {
  it.each([
    'For this project, you will write a class that counts boats.',
    'Your only job today is to produce a list of lamps with their age.',
  ])('asks: %s', async (text) => {
    expect(await found('# Harbour', '', text)).toEqual([text]);
  });

  it('is a proposal also above code', async () => {
    const text = 'We propose to read `.lamp` by default so that code looks like this:';
    expect(await found('## Design', '', text, '', '```js', 'lamp();', '```')).toEqual([text]);
  });
});
