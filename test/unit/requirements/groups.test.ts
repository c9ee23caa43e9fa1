import { describe, expect, it } from 'vitest';
import { explicitRequirements } from '../../../src/requirements/explicit-requirements.js';

const head = ['# Harbour', '', '## Tasks', ''];

async function texts(...lines: string[]): Promise<string[]> {
  return (await explicitRequirements(lines.join('\n'))).map(({ text }) => text);
}

async function found(...lines: string[]): Promise<string[]> {
  return (await explicitRequirements(lines.join('\n'))).map(({ line }) => lines[line - 1] ?? '');
}

describe('an item above a list', () => {
  it('is none if it only names the list, and its parts carry its name', async () => {
    const list = [
      '1. Tide Charts',
      '   - Side view',
      '   - Legend',
      '2. Berth Plans',
      '   - Legend',
    ];
    expect(await texts(...head, ...list)).toEqual([
      'Tide Charts: Side view',
      'Tide Charts: Legend',
      'Berth Plans: Legend',
    ]);
  });

  it('is none if it is a bold name, also with a box and a reference', async () => {
    const list = ['- [ ] **Create Tide Charts** (AC: 1)', '  - [ ] Draw the curve of the day'];
    expect(await found(...head, ...list)).toEqual([list[1]]);
  });

  it.each([
    '- [ ] **Task 1: Create tide charts**',
    '- [ ] Create tide charts (AC: 1)',
    '- It must print',
    '- Show the tide of each harbour',
  ])('is one if it says what to do: %s', async (item) => {
    const part = item.startsWith('- [ ]') ? '  - [ ] Draw the curve' : '  - Draw the curve';
    expect(await found(...head, item, part)).toEqual([item, part]);
  });

  it('counts if nothing below it asks', async () => {
    expect(await found(...head, '- **Tide charts for guests**', '  - Do we need them?')).toEqual([
      '- **Tide charts for guests**',
    ]);
  });

  it('groups name their parts in a section that no word names', async () => {
    const list = ['1. Charts', '   - Tide curve', '2. Plans', '   - Berth map'];
    expect(await found(...head, '- Show the tides', '', '## Strategy', '', ...list)).toEqual([
      '- Show the tides',
      list[1],
      list[3],
    ]);
  });

  it('a condition that leads to checks is none', async () => {
    const scenario = [
      '### Scenario: Docking',
      '- **Given** a ship asks for a berth,',
      '  **Then** the system must check:',
      '  1. **Depth**: The berth must be deep enough.',
    ];
    expect(await found('# Acceptance criteria', '', ...scenario)).toEqual([scenario[3]]);
  });
});

describe('a sentence above a list', () => {
  it('is none if the items ask, although it commands', async () => {
    const list = ['- tides', '- currents'];
    expect(await found(...head, 'Display the data of each harbour with:', '', ...list)).toEqual(
      list,
    );
  });

  it('above alternatives leads to none of them', async () => {
    const line = 'Pick ONE of the following harbours:';
    expect(await found('# Harbour', '', line, '', '- Kiel', '- Lagos')).not.toContain('- Kiel');
  });

  it('leads to questions that a file must answer', async () => {
    const list = [
      '1. **Depth** — How deep is it?',
      '2. **Access** — Is there a gate? Who opens it?',
    ];
    const line = 'Write a file called `HARBOUR.md` with:';
    expect(await found('# Harbour', '', line, '', ...list)).toEqual(expect.arrayContaining(list));
    expect(
      await found('# Harbour', '', '## Your `README.md` should include:', '', ...list),
    ).toEqual(list);
  });

  it('"Example with …" belongs only to the block below it', async () => {
    const says = 'After three refusals, the ship moves to the queue.';
    const sample = ['Example with the default depth of `2`:', '', '```', 'depth = 2', '```', ''];
    expect(await found('# Requirements', '', ...sample, says)).toEqual([says]);
  });
});
