import { describe, expect, it } from 'vitest';
import { explicitRequirements } from '../../../src/requirements/explicit-requirements.js';

async function found(...lines: string[]): Promise<string[]> {
  return (await explicitRequirements(lines.join('\n'))).map(({ text }) => text);
}

const wishes = ['The lamp turns off at dawn.', 'Each buoy has a number.', 'Print the tide table.'];
const items = wishes.map((text) => `- ${text}`);

describe('what leaves nearly all of a task out is not believed', () => {
  it.each(['# Backlog', '# Context', '# Future ideas for the harbour', '# Known issues'])(
    'the title %s',
    async (title) => {
      expect(await found(title, '', ...items)).toEqual(wishes);
    },
  );

  it('the names of all sections', async () => {
    const sections = items.flatMap((item, index) => [`## Lamp ${index} (later)`, '', item, '']);
    expect(await found('# Harbour', '', ...sections)).toEqual(wishes);
  });

  it('a label', async () => {
    expect(await found('**Background**', '', ...items)).toEqual(wishes);
  });

  it('the line above the only list', async () => {
    expect(await found('Currently we have this on the wall:', '', ...items)).toEqual(wishes);
  });

  it('quotes', async () => {
    expect(await found(...items.map((item) => `> ${item}`))).toEqual(wishes);
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
    expect(await found(...text)).toEqual(
      expect.arrayContaining([...wishes, 'Print a chart of the tides.']),
    );
  });
});

describe('an exclusion is believed', () => {
  it('if a part of the task stays', async () => {
    const task = ['# Harbour', '', '## Must have', '', '- Lamps for the pier', ''];
    expect(await found(...task, '## Ideas', '', ...items)).toEqual(['Lamps for the pier']);
  });

  it.each(['Out of scope', 'Not now', 'Rejected ideas', "Won't have", 'Completed requests'])(
    'if it says that it leaves text out: %s',
    async (name) => {
      expect(await found('# Harbour', '', `## ${name}`, '', ...items)).toEqual([]);
    },
  );

  it('if it hides only a line or two', async () => {
    expect(await found('# Backlog', '', ...items.slice(1))).toEqual([]);
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
    expect(await found('The pier must have a lamp.', '', ...lines)).toEqual([
      'The pier must have a lamp.',
    ]);
  });

  it('is a sample below a line that says so', async () => {
    const sample = ['    Show the tides of a day', '    Print the tides of a week'];
    expect(await found('For example:', '', ...sample, '', 'The pier must be lit.')).toEqual([
      'The pier must be lit.',
    ]);
  });

  it('is plain text if all lines share the indentation', async () => {
    expect(await found(...items.map((item) => `      ${item}`))).toEqual(wishes);
  });
});
