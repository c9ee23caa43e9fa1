import { describe, expect, it } from 'vitest';
import { explicitRequirements } from '../../../src/requirements/explicit-requirements.js';

async function found(...lines: string[]): Promise<string[]> {
  return (await explicitRequirements(lines.join('\n'))).map(({ text }) => text);
}

describe('tags that name the parts of a prompt', () => {
  it('are headings, so that lists and sentences in them are read', async () => {
    const prompt = [
      'You help a harbour.',
      '<context>',
      'The pier has no lamps. We had three boats.',
      '</context>',
      '<must_have>',
      '- Lamps turn off at dawn',
      '- Each buoy has a number',
      '</must_have>',
      '<constraints>',
      'Never delete a tide.',
      '</constraints>',
    ];
    const read = await explicitRequirements(prompt.join('\n'));
    expect(read.map(({ text, line, section }) => [line, section.at(-1), text])).toEqual([
      [6, 'Must have', 'Lamps turn off at dawn'],
      [7, 'Must have', 'Each buoy has a number'],
      [10, 'Constraints', 'Never delete a tide.'],
    ]);
  });

  it('end a part that explains', async () => {
    const context = ['<background>', 'Boats come by night.', '</background>'];
    expect(await found(...context, '', 'Write a plan for the lamps of each pier.')).toEqual([
      'Write a plan for the lamps of each pier.',
    ]);
  });

  it('are labels on one line', async () => {
    const lines = ['<example>The lamp must be red.</example>', '', '<rule>Print the tide.</rule>'];
    expect((await found(...lines)).join()).toContain('Print the tide.');
    expect((await found(...lines)).join()).not.toContain('The lamp must be red.');
  });

  it.each([
    ['of HTML', ['<section>', 'Lamps', '</section>']],
    ['without an end', ['<harbour>', 'Lamps']],
    ['in a fence', ['```', '<harbour>', 'Lamps', '</harbour>', '```']],
  ])('%s name no part', async (_, lines) => {
    const rule = 'The pier must have a lamp.';
    const [read] = await explicitRequirements([...lines, '', rule].join('\n'));
    expect(read).toMatchObject({ text: rule, section: [] });
  });
});

describe('a list without marks', () => {
  const names = ['Insert a buoy', 'Colour of the lamp', 'Number of boats'];

  it('is a list below a line with a colon', async () => {
    const read = await explicitRequirements(['The app must offer:', '', ...names].join('\n'));
    expect(read.map(({ kind, text }) => [kind, text])).toEqual(
      names.map((text) => ['bullet', text]),
    );
  });

  it.each([
    ['a sentence over several lines', ['The pier is long,', 'Boats wait there', 'Lamps are red']],
    ['two lines', ['The pier is long', 'Boats wait there']],
    ['code', ['```', 'Insert a buoy', 'Colour of the lamp', 'Number of boats', '```']],
  ])('is not %s', async (_, lines) => {
    const read = await explicitRequirements(['The app must offer:', '', ...lines].join('\n'));
    expect(read.map(({ kind }) => kind)).not.toContain('bullet');
  });
});
