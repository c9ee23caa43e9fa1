import { describe, expect, it } from 'vitest';
import { isAside } from '../../../src/requirements/aside.js';
import { isProposal, isUse } from '../../../src/requirements/demand.js';
import { explicitRequirements } from '../../../src/requirements/explicit-requirements.js';

/** The lines that are found, as they were written. */
async function found(...lines: string[]): Promise<string[]> {
  return (await explicitRequirements(lines.join('\n'))).map(({ line }) => lines[line - 1] ?? '');
}

describe('a section that explains', () => {
  it('contains what has the identifier of a requirement and says what must be', async () => {
    const items = ['- **FR-001**: Gauges are sorted by name', '- FR-002 Show the height in metres'];
    expect(await found('# Tides', '', '## System context', '', ...items)).toEqual(items);
    const covered = '- FR-001: covered by a test';
    expect(await found('# Tides', '', '## Traceability', '', covered)).toEqual([]);
  });

  it('contains what is proposed', async () => {
    const said = 'We propose to read the gauge every hour.';
    expect(await found('# Tides', '', '## Motivation', '', said)).toEqual([said]);
    expect(isProposal('This RFC proposes one list for all gauges')).toBe(true);
    expect(isProposal('We will read the gauge')).toBe(false);
  });
});

describe('an introduction', () => {
  it('says what code does, what the product does and what users do', async () => {
    for (const said of [
      '`Tide.read` returns the height of the water.',
      'Marea shows the tides of a day.',
      'The user selects a harbour; the app lists its tides.',
      'At a minimum, the system is designed to warn of storms.',
    ]) {
      const lines = ['# Gauges', '', '## Summary', '', 'Marea is a calendar.', '', said];
      expect(await found(...lines), said).toContain(said);
    }
    expect(isUse('Customers save without a plan')).toBe(false);
  });

  it('a goal after its label says what to do, and may only name the work', async () => {
    const goal = '**Minimum goal**: To predict the tide of the next day.';
    const work = '**Main goal**: To build an app.';
    expect(await found('# Tides', '', '## Goals', '', goal, '', work)).toEqual([goal]);
  });

  it('an item says what can be done with a part', async () => {
    const items = ['- Lists can be saved', '- It can be late'];
    const rest = ['', '## Requirements', '', '- Tides are sorted'];
    expect(await found('# Tides', '', '## Overview', '', ...items, ...rest)).toEqual([
      items[0],
      '- Tides are sorted',
    ]);
  });

  it('of a short text with one heading is the text itself', async () => {
    const said = 'A gauge sends its height every hour to the server.';
    expect(await found('## System overview', '', said)).toEqual([said]);
  });
});

describe('a title', () => {
  it('in bold above a text without headings is no section', async () => {
    const said = 'The system prints the tides of each harbour.';
    expect(await found('**Tides - Problem Statement**', '', said)).toEqual([said]);
    expect(await found('**Out of scope**', '', said)).toEqual([]);
  });

  it('of a design hides nothing below it', async () => {
    const said = 'We would add a list of moons.';
    const lines = ['# Tide Setup', '', '## Summary', '', 'None', '', '## Detailed design', ''];
    expect(await found(...lines, said)).toEqual([said]);
  });

  it('of three words hides nothing below it', async () => {
    const said = 'The gauge will get a new field, `height`.';
    const lines = ['# Optional Tide Dependencies', '', '## Detailed design', '', said];
    expect(await found(...lines, '', '## Drawbacks', '', 'None')).toEqual([said]);
  });
});

describe('a sentence about something else', () => {
  it.each([
    'The list of moons is deferred to a later release.',
    'Colours are not defined yet.',
    'Detailed rules live in `docs/rules.md`.',
    'This should be a small change.',
    'Here’s the same list after the change.',
    'The judges will run the app.',
    'When in doubt, decide yourself.',
  ])('%s', (said) => {
    expect(isAside(said)).toBe(true);
  });

  it('says how a part is today and how it shall be', () => {
    expect(isAside('The count currently shown above the list should move below it')).toBe(false);
    expect(isAside('The count is currently shown above the list')).toBe(true);
  });

  it('"My account" is a part, and "my idea" is not', () => {
    expect(isAside('My account shows all harbours')).toBe(false);
    expect(isAside('My idea came at sea')).toBe(true);
  });
});
