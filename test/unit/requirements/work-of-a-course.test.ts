import { describe, expect, it } from 'vitest';
import { explicitRequirements } from '../../../src/requirements/explicit-requirements.js';
import { sectionKind } from '../../../src/requirements/sections.js';

/** The lines that are found, as they were written. */
async function found(...lines: string[]): Promise<string[]> {
  return (await explicitRequirements(lines.join('\n'))).map(({ line }) => lines[line - 1] ?? '');
}

describe('the work of a course', () => {
  it.each([
    'Create a GitHub account',
    'Set up a private Git repository with your changes',
    'Use meaningful commit messages',
    'Merge each PR when it is done',
    'Analyze the existing codebase',
    'Treat this as a task of your team',
    'Clone the repository to your computer',
    'Switch to the `main` branch',
    'Pull all changes of your group',
  ])('is none, as an item and as a box: %s', async (text) => {
    const kept = '- Show the tides of each harbour';
    expect(await found('# Task', '', '## Tasks', '', `- ${text}`, kept)).toEqual([kept]);
    const box = '- [ ] Show the tides';
    expect(await found('# Task', '', '## Tasks', '', `- [ ] ${text}`, box)).toEqual([box]);
  });

  it('a class that is copied into a file is a part of the result', async () => {
    const list = [
      '**Copy this class into tides.py:**',
      '- A method that adds a tide',
      '- Constants',
    ];
    expect(await found('# Task', '', '## Source', '', ...list)).toContain(list[1]);
    const told = ['**Copy this prompt into the agent:**', ...list.slice(1)];
    expect(await found('# Task', '', '- Show tides', '', '## Source', '', ...told)).toEqual([
      '- Show tides',
    ]);
  });

  it('a suggested approach is advice', async () => {
    const steps = ['1. Sketch the classes first', '2. Write the class of tides'];
    const asks = '- Show tides';
    expect(await found('# Task', '', asks, '', '## Suggested approach', '', ...steps)).toEqual([
      asks,
    ]);
  });

  it('a question in a box is none', async () => {
    const box = '- [ ] Would you like to build this?';
    expect(await found('# Tides', '', '## Tasks', '', box)).toEqual([]);
  });

  it('areas to consider and criteria of assessment explain', async () => {
    const items = ['- Performance', '- Security'];
    const areas = ['While you read the code, consider looking at:', '', ...items];
    expect(await found('# Task', '', '## Areas to consider', '', ...areas)).toEqual([]);
    expect(await found('# Task', '', '## Assessment criteria', '', ...items)).toEqual([]);
    expect(await found('# Task', '', '## Work', '', 'Focus areas to consider:', ...items)).toEqual(
      [],
    );
  });

  it('an obligation below such a heading counts', async () => {
    const said = 'The list should stay sorted.';
    expect(await found('# Task', '', '## Areas to consider', '', said)).toEqual([said]);
  });

  it('an order in which parts are built names the parts', async () => {
    const parts = ['1. User model', '2. Login and registration', '3. Public API'];
    expect(await found('# Shop', '', '## Build order', '', ...parts)).toEqual(parts);
    const work = ['1. Read the codebase', '2. Commit after each step'];
    expect(await found('# Shop', '', '## Build order', '', ...work)).toEqual([]);
    expect(await found('# Shop', '', '## Execution order', '', ...parts.slice(1))).toEqual([]);
  });

  it('a plan for the evaluation, the order of the work and money do not ask by their names', () => {
    expect(sectionKind('Evaluation plan')).toBe('unclear');
    expect(sectionKind('Implementation order')).toBe('background');
    expect(sectionKind('Reason for the change')).toBe('background');
    expect(sectionKind('Business model')).toBe('unclear');
    expect(sectionKind('How the current app works')).toBe('background');
    expect(sectionKind('Long-term direction')).toBe('excluded');
    expect(sectionKind('Future v2 candidates')).toBe('excluded');
  });
});
