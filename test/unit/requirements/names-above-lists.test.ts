import { describe, expect, it } from 'vitest';
import { explicitRequirements } from '../../../src/requirements/explicit-requirements.js';
import { sentencesOf } from '../../../src/requirements/sentences.js';

/** The lines that are found, as they were written. */
async function found(...lines: string[]): Promise<string[]> {
  return (await explicitRequirements(lines.join('\n'))).map(({ line }) => lines[line - 1] ?? '');
}

describe('a line above a list', () => {
  it('says only what its list is', async () => {
    const said = 'The free list stays free.';
    const lines = ['A later version may include:', '', '- moons', '', said];
    expect(await found('# Tides', '', '## Prices', '', ...lines)).toEqual([said]);
  });

  it('with one verb commands the items', async () => {
    const items = ['- heavy shadows', '- loud colours'];
    const read = await explicitRequirements(
      ['# Tides', '', '## Looks', '', 'Avoid:', ...items].join('\n'),
    );
    expect(read.map(({ text }) => text)).toEqual(['Avoid: heavy shadows', 'Avoid: loud colours']);
  });

  it('that names a list makes its names requirements, but not in a description', async () => {
    const items = ['- open', '- closed'];
    const lines = ['Possible states:', '', ...items];
    const rest = ['', '## Requirements', '', '- Tides are sorted'];
    expect(await found('# Tides', '', '## Harbour', '', ...lines, ...rest)).toEqual([
      ...items,
      '- Tides are sorted',
    ]);
    expect(await found('# Tides', '', '## Status', '', ...lines)).toEqual([]);
  });

  it('says what is included and what is not', async () => {
    const [kept, left] = ['- a list of tides', '- a list of moons'];
    for (const [yes, no] of [
      ['Included:', 'Not included:'],
      ['**In** (for now):', '**Out** (on purpose):'],
    ]) {
      const lines = [yes ?? '', '', kept, '', no ?? '', '', left];
      expect(await found('# Tides', '', '## Boundaries', '', ...lines), yes).toEqual([kept]);
    }
  });
});

describe('an item above a list', () => {
  it('that is a bold name of a section says what its items are', async () => {
    const lines = ['1. **Target audience**', '   - Fishers who look for tides'];
    const kept = '   - Show the tides';
    const all = [...lines, '2. **Features**', kept];
    expect(await found('# Tides', '', '## Product', '', ...all)).toEqual([kept]);
  });

  it('that only names the next list is none', async () => {
    const call = '- `GET /tides` returns the tides of a day';
    expect(await found('# Tides', '', '## API', '', '1) Tides', call)).toEqual([call]);
  });

  it('may begin with a letter', () => {
    expect(sentencesOf(['A. Home tab']).map(({ text }) => text)).toEqual(['A. Home tab']);
  });
});

describe('a heading', () => {
  it('names a part of the features, although it looks like a section', async () => {
    const items = ['- Wave of the day', '- Sum of all waves'];
    for (const name of ['Daily progress', 'Alarms and notes', 'Fishing competition'])
      expect(
        await found('# Tides', '', '## Core features', '', `### ${name}`, '', ...items),
        name,
      ).toEqual(items);
  });

  it('for what the result is not like forbids', async () => {
    const item = '- **Loud apps.** No sounds, no medals.';
    expect(await found('# Tides', '', '## Anti-references', '', item)).toEqual([item]);
  });

  it('for an agent asks, and so do notes that all command', async () => {
    const rest = ['', '## Requirements', '', '- Tides are sorted'];
    const one = ['- Keep the readers pure'];
    const agent = await found('# Tides', '', '## Notes for the coding agent', '', ...one, ...rest);
    expect(agent).toEqual([...one, '- Tides are sorted']);
    const all = [...one, '- Avoid databases', '- Use small functions'];
    expect(await found('# Tides', '', '## Notes', '', ...all, ...rest)).toEqual([
      ...all,
      '- Tides are sorted',
    ]);
  });

  it('for what is expected asks, and for resources of the result, too', async () => {
    const said = '- the height in metres';
    expect(await found('# Tides', '', 'Expected AI response:', said)).toEqual([said]);
    const item = '- **Store**: one bucket per harbour';
    expect(await found('# Tides', '', '## Cloud resources', '', item)).toEqual([item]);
    expect(await found('# Tides', '', '## Resources', '', item)).toEqual([]);
  });
});

describe('an item that says nothing of the result', () => {
  it.each([
    '- Architecture: `docs/architecture.md`',
    '- **Fixes:** "It stops", "It skips"',
    '- /tides/today -->',
    '- **Benefit**: Enables the team to plan the week',
  ])('%s', async (item) => {
    const kept = '- Show the tides';
    expect(await found('# Tides', '', '## Features', '', item, kept)).toEqual([kept]);
  });
});

describe('text', () => {
  it('names a part that is wanted', async () => {
    for (const said of ['A button that hides the moons', 'The ability to sort by height'])
      expect(await found('# Tides', '', '## Proposed solution', '', said)).toEqual([said]);
  });

  it('below a table of HTML on one line is read', async () => {
    const said = 'The list must be sorted.';
    const table = '<table><tr><td>Ebb</td></tr></table>';
    expect(await found('# Tides', '', table, '## Rules', said)).toEqual([said]);
  });
});
