import { describe, expect, it } from 'vitest';
import { explicitRequirements } from '../../../src/requirements/explicit-requirements.js';

async function found(...lines: string[]): Promise<string[]> {
  return (await explicitRequirements(lines.join('\n'))).map(({ text }) => text);
}

const head = ['# Harbour', '', '## Pier', ''];

describe('texts that a person sees', () => {
  it('are parts of the result below a line that asks to show them, with what is below them', async () => {
    const list = [
      '1. **"Which boat is yours?"**',
      '   - Field for the name',
      '2. **"Where from?"**',
    ];
    expect(await found(...head, 'Ask these questions one at a time:', '', ...list)).toEqual([
      '**"Which boat is yours?"**',
      'Field for the name',
      '**"Where from?"**',
    ]);
  });

  it('are parts in a list of parts', async () => {
    const items = [
      'Show the tide of each hour',
      'Show a lamp at night',
      '"The pilot is on the way..."',
    ];
    expect(await found(...head, ...items.map((item) => `- ${item}`))).toEqual(items);
  });

  it('are samples otherwise', async () => {
    const list = ['- "Where is my boat?"', '- "Is the pier open?"'];
    const asks = 'The pier must have a bell.';
    expect(await found(...head, asks, '', 'Visitors said:', '', ...list)).toEqual([asks]);
  });
});

describe('lines with empty lines between them', () => {
  const items = ['A lamp for each pier', 'Support for several bells', 'A list of all boats'];
  const apart = (lines: readonly string[]): string[] => lines.flatMap((line) => [line, '']);

  it('are a list below a colon', async () => {
    const read = await found(...head, 'The page must have:', '', ...apart(items), 'It saves time.');
    expect(read).toEqual(items);
  });

  it('are paragraphs if they are sentences', async () => {
    const text = items.map((item) => `${item} was there.`);
    expect(await found(...head, 'The page must have:', '', ...apart(text))).not.toContain(text[0]);
  });
});

describe('what somebody will be making', () => {
  it('is asked for', async () => {
    const text = 'You will be adding a bell to the pier.';
    expect(await found('# Harbour', '', 'It is old.', '', text)).toEqual([text]);
  });

  it('is none if nothing is made', async () => {
    const asks = 'The pier must have a bell.';
    expect(await found('# Harbour', '', asks, '', 'You will be working in pairs.')).toEqual([asks]);
  });
});
