import { describe, expect, it } from 'vitest';
import { isAside } from '../../../src/requirements/aside.js';
import { isCommand, isDecision } from '../../../src/requirements/demand.js';
import { explicitRequirements } from '../../../src/requirements/explicit-requirements.js';
import { sectionKind } from '../../../src/requirements/sections.js';

/** The lines that are found, as they were written. */
async function found(...lines: string[]): Promise<string[]> {
  return (await explicitRequirements(lines.join('\n'))).map(({ line }) => lines[line - 1] ?? '');
}

describe('a document whose sections all explain by their name', () => {
  const option = '- `--harbour` or `-p`: name of the harbour (default: `north`)';

  it('is the task itself', async () => {
    expect(await found('# Prompt', '', '## Overview', '', '## Usage', '', option)).toEqual([
      option,
    ]);
  });

  it('is none if another section may contain the task', async () => {
    const command = '- Print the tides';
    const lines = ['# Prompt', '', '## Usage', '', option, '', '## Features', '', command];
    expect(await found(...lines)).toEqual([command]);
  });

  it('stays an explanation where the section is about other things', async () => {
    expect(await found('## References', '', '- A book about tides and moons')).toEqual([]);
  });
});

describe('a section that describes a part', () => {
  it.each(['Architecture', 'Configuration', 'Data model', 'Modules', 'Detailed explanation'])(
    'says what the result is: %s',
    async (name) => {
      const statement = '- Tides are kept in one table per harbour';
      expect(await found('# Tides', '', `## ${name}`, '', statement)).toEqual([statement]);
    },
  );

  it('the description of a feature is about the result', async () => {
    const text = 'Central board with the tides of all harbours.';
    const lines = ['# Tides', '', '## Features', '', '### Board', '', '**Description:**', text];
    expect(await found(...lines)).toEqual([text]);
  });

  it('a command below "Description" counts, although another section has requirements', async () => {
    const command = 'When printing a tide, include its moon.';
    const rest = ['', '## Requirements', '', '- Tides are sorted'];
    const lines = ['# Tides', '', '## Description', '', command, ...rest];
    expect(await found(...lines)).toEqual([command, '- Tides are sorted']);
  });

  it('a command in notes on a part counts, and one in other notes does not', async () => {
    const command = '- Keep the readers of tides pure';
    const rest = ['', '## Tasks', '', '- [ ] Add the tides'];
    const partNotes = await found('# Tides', '', '## Structure notes', '', command, ...rest);
    expect(partNotes).toEqual([command, '- [ ] Add the tides']);
    const notes = await found('# Tides', '', '## Notes', '', command, ...rest);
    expect(notes).toEqual(['- [ ] Add the tides']);
  });

  it('what is planned, and what nobody shall care about, is out of scope', () => {
    expect(sectionKind('Planned/Upcoming')).toBe('excluded');
    expect(sectionKind("Don't worry about")).toBe('excluded');
    expect(sectionKind('Turning it in')).toBe('background');
  });
});

describe('an item below a heading, in a document that names its requirements elsewhere', () => {
  const rest = ['', '## Requirements', '', '- Tides are sorted'];

  it('counts if it names a part in several words', async () => {
    const items = ['- Warm paper colours, a dark deep slate', '- Side bar for saved harbours'];
    const lines = ['# Tides', '', '## Looks', '', ...items, ...rest];
    expect(await found(...lines)).toEqual([...items, '- Tides are sorted']);
  });

  it('is none if it is only a name, or says what a word means', async () => {
    const items = ['- Blue violets', '- **Tide**: a rise of the sea in the north'];
    const lines = ['# Tides', '', '## Looks', '', ...items, ...rest];
    expect(await found(...lines)).toEqual(['- Tides are sorted']);
  });

  it('is none below a line that says what nobody grades', async () => {
    const items = ['- Security of the interface for harbours', '- Small faults of your code'];
    const lines = [
      '# Tides',
      '',
      '## Looks',
      '',
      'What will not be graded:',
      '',
      ...items,
      ...rest,
    ];
    expect(await found(...lines)).toEqual(['- Tides are sorted']);
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

describe('sentences about other things', () => {
  it.each([
    'Testing has shown that tides vary.',
    'As with any chart, tides are rough.',
    'While there are many moons, one counts.',
    'If anything is unclear, make an assumption.',
    'Read my notes on tides.',
    'Empower sailors to read tides.',
  ])('%s', (text) => {
    expect(isAside(text)).toBe(true);
  });

  it('a line that ends in "like the following" leads to examples', async () => {
    const lead = 'The page will print names like the following:';
    expect(await found('# Tides', '', '## Names', '', lead, '', '- North: `N1`')).toEqual([lead]);
  });

  it('a proposal that replaces or removes something decides', () => {
    expect(isDecision('This proposal replaces the table with a chart.')).toBe(true);
    expect(isDecision('This proposal introduces a chart.')).toBe(false);
  });

  it('"You are to" begins a command', () => {
    expect(isCommand('You are to write a program for tides.')).toBe(true);
    expect(isCommand('You are to blame for tides.')).toBe(false);
  });
});
