import { describe, expect, it } from 'vitest';
import { explicitRequirements } from '../../../src/requirements/explicit-requirements.js';
import { readFromProse } from '../../../src/requirements/read-from-prose.js';

async function found(...lines: string[]): Promise<string[]> {
  return (await explicitRequirements(lines.join('\n'))).map(({ text }) => text);
}

const prompt = [
  'You help a harbour. Your task is to draw a chart of the tides for the pier.',
  '## The chart must cover',
  '- The height of each tide in metres',
  '- The time of each tide at the pier',
  '',
  'Use blue for high water. No code in the answer, and no list of words.',
];
const asked = [
  'The height of each tide in metres',
  'The time of each tide at the pier',
  'Use blue for high water.',
  'No code in the answer, and no list of words.',
];

describe('a text in a fence', () => {
  it('is the task if the document says to paste it [R2-001]', async () => {
    const text = ['# Prompt', '', 'Paste the block below.', '', '```text', ...prompt, '```'];
    expect(await found(...text)).toEqual(expect.arrayContaining(asked));
  });

  it('is the task if it is most of the document, with its lines as they are counted', async () => {
    const read = await explicitRequirements(['```markdown', ...prompt, '```'].join('\n'));
    expect(read.map(({ text }) => text)).toEqual(expect.arrayContaining(asked));
    expect(read.find(({ text }) => text === asked[0])?.line).toBe(4);
  });

  it('is an example if other text is longer, and nothing says to paste it', async () => {
    const long = 'The harbour has four piers. '.repeat(20);
    const rule = 'The pier must stay open.';
    const text = ['# Tides', '', long, '', rule, '', '```', ...prompt, '```'];
    expect(await found(...text)).toEqual([rule]);
  });

  it.each(['ts', 'yaml', 'diff'])('is code if it says that it is %s', async (language) => {
    expect(await found(`\`\`\`${language}`, ...prompt, '```')).toEqual([]);
  });

  it('is code if its lines are code', async () => {
    const code = ['const tide = 1;', 'if (tide > 2) {', '  must(show(tide));', '}'];
    expect(await found('Use the code below:', '```', ...code, ...code, ...code, '```')).toEqual([
      'Use the code below:',
    ]);
  });
});

describe('a heading', () => {
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
    expect(await found('# Tides', '', `## ${heading}`, '', '- The list shows all tides')).toEqual(
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
    expect(await found('# Tides', '', `## ${heading}`, '', '- A chart of tides')).toEqual([
      'A chart of tides',
    ]);
  });
});

describe('a plan', () => {
  it('asks in the steps that build a part, and not in the work around them', async () => {
    expect(
      await found(
        '# Tides',
        '## Milestones',
        '- Create a chart of the tides',
        '- A list of piers will be displayed',
        '- Meet the harbour master',
        '- Design: March',
      ),
    ).toEqual(['Create a chart of the tides', 'A list of piers will be displayed']);
  });

  it.each([
    'Begin implementation.',
    'Commit after each task.',
    'Submit a link to your repository',
    'Your team must meet each week',
    'Paste the prompt below into a new chat',
    'Charts: submit by the end of week 2',
  ])('does not ask for the work of people: %s', async (step) => {
    expect(await found('# Tides', '', '## Tasks', '', `- ${step}`)).toEqual([]);
  });

  it('leaves out an item that says that it is for later', async () => {
    expect(await found('## Features', '', '- A chart of tides', '- A login (later)')).toEqual([
      'A chart of tides',
    ]);
  });
});

describe('a sentence', () => {
  it.each([
    'It should be possible to hide the chart.',
    'What is very important is to keep the colours.',
    'We can print charts, but I want to be able to print lists.',
    'Please note that this must not be a shop.',
    'To help sailors, allow them to print the chart.',
    'The goal is to find all tides that two piers share.',
    'Request to add a chart to the list.',
  ])('asks: %s', async (sentence) => {
    expect(await found('# Tides', '', sentence)).toEqual([sentence]);
  });

  it('of one author says what is decided, below a heading', async () => {
    const sentence = 'I will be creating a chart which shows all tides.';
    expect(await found('# Tides', '', '## Approach', '', sentence)).toEqual([sentence]);
  });

  it('about keywords of the product asks; one about key words of RFC 2119 does not', async () => {
    const item = 'Allow sailors to choose keywords that filter the list';
    const notice = 'The key words MUST and SHOULD are to be interpreted as in RFC 2119.';
    expect(await found('## Features', '', `- ${item}`, '', notice)).toEqual([item]);
  });

  it('that names the work by its goal asks nothing', async () => {
    expect(
      await found('The goal of this task is to build a small chart.', '', '- No tables'),
    ).toEqual(['No tables']);
  });

  it('goes on in a line that looks like a label', async () => {
    expect(
      await found('Please cover the following', 'to help us with your solution:', '1) Why blue?'),
    ).toEqual(['Why blue?']);
  });
});

describe('a list', () => {
  it('counts if it is indented like code right below a line', async () => {
    expect(
      await found('# Tides', '', 'A. Chart', '    - Show the pier', '    - No tables'),
    ).toEqual(['Show the pier', 'No tables']);
  });

  it('stays below its item if the item goes on without an indentation', async () => {
    const text = ['1. The chart must show', 'all of these:', '    - tides', '    - piers'];
    expect(await found(...text)).toEqual(['tides', 'piers']);
  });

  it('counts in tags', async () => {
    expect(
      await found('<h2>Features</h2>', '<ul>', '<li>Show the <b>pier</b></li>', '</ul>'),
    ).toEqual(['Show the <b>pier</b>']);
  });

  it('below "could be done by" says how', async () => {
    expect(
      await found('# A', '', '## Notes', '', 'This could be done by:', '', '- Adding a chart'),
    ).toEqual(['Adding a chart']);
  });

  it('below "behaves like" is an example', async () => {
    expect(
      await found(
        '# A',
        '',
        '## Use case',
        '',
        'It behaves like:',
        '',
        '- Type "a", the list opens',
      ),
    ).toEqual([]);
  });
});

describe('a label', () => {
  it.each([
    '**Output:** a chart of the tides for each pier',
    'Word count: 800 to 1000',
    'Length: 800 words',
    'Tone: friendly and short',
  ])('names a property of the result: %s', async (line) => {
    expect(await found('# Tides', '', line)).toEqual([line]);
  });

  it.each(['**Input**: User description: "tides"', 'Length: 30 minutes'])(
    'names data about the work: %s',
    async (line) => {
      expect(await found('# Tides', '', line)).toEqual([]);
    },
  );
});

describe('a table', () => {
  it('of endpoints asks by its columns', async () => {
    const rows = [
      '| Method | Path | Description |',
      '|---|---|---|',
      '| GET | /tides | Get all tides |',
    ];
    expect(await found('# Tides', '', ...rows)).toEqual(['GET | /tides | Get all tides']);
  });

  it('of numbers asks nothing', async () => {
    const rows = ['| lat | lon |', '|---|---|', '| 25.86 | -97.42 |'];
    expect(await found('Limit the list to these piers:', '', ...rows)).toEqual([
      'Limit the list to these piers:',
    ]);
  });
});

describe('requirements from plain sentences', () => {
  const prose = 'The page opens at once. It shows the tides. The owner changes the prices herself.';

  it('are counted if they are a third of all', async () => {
    expect(readFromProse(await explicitRequirements(`## Features\n\n${prose}`))).toBe(3);
  });

  it('are not counted beside many that a list states', async () => {
    const list = Array.from({ length: 9 }, (_, index) => `- Show pier ${index}`).join('\n');
    expect(readFromProse(await explicitRequirements(`## Features\n\n${prose}\n\n${list}`))).toBe(0);
  });

  it('are none that say must or command', async () => {
    const text = 'The page must load fast. Show the tides. The list must be short.';
    expect(readFromProse(await explicitRequirements(text))).toBe(0);
  });
});
