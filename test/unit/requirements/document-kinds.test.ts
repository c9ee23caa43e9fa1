import { describe, expect, it } from 'vitest';
import { explicitRequirements } from '../../../src/requirements/explicit-requirements.js';

/** The lines that are found, as they were written; all lines of `asks` are expected, in order. */
async function found(lines: readonly string[]): Promise<string[]> {
  return (await explicitRequirements(lines.join('\n'))).map(({ line }) => lines[line - 1] ?? '');
}

const stated = ['# Shop', '', '## Requirements', '', '- The cart keeps its content', ''];

describe('lists of commands', () => {
  it('an item between commands is one, although its words could be a name', async () => {
    const list = [
      '- Add a menu to the header',
      '- Support arrow keys',
      '- Keep the focus in the menu',
    ];
    expect(await found([...stated, '## Phase 1: Menu', '', ...list])).toEqual([
      '- The cart keeps its content',
      ...list,
    ]);
  });

  it('one command among names makes no list of commands, and a list below is one of its own', async () => {
    const names = [
      '- Arrow keys',
      '- Add a menu to the header',
      '- Colours',
      '  - Red roses',
      '  - Blue violets',
    ];
    expect(await found([...stated, '## Words', '', ...names])).toEqual([
      '- The cart keeps its content',
      '- Add a menu to the header',
    ]);
  });

  it('a label names a part, and the words after it say what it is', async () => {
    const list = [
      '- **Packages**: Build both of them',
      '- **Colours:** Red roses',
      '- **Album**: a set of photos',
    ];
    expect(await found([...stated, '## Words', '', ...list])).toEqual([
      '- The cart keeps its content',
      ...list.slice(0, 2),
    ]);
  });

  it('pictures before the words do not count', async () => {
    const list = ['- ❌ NEVER delete user files', '- ✅ Always ask before an update'];
    expect(await found([...stated, '## Words', '', ...list])).toEqual([
      '- The cart keeps its content',
      ...list,
    ]);
  });
});

describe('what is', () => {
  it('is not what has to be: what users often have to do', async () => {
    expect(
      await found(['Planners often have to call five people. The planner must see who is free.']),
    ).toHaveLength(1);
    expect(await found(['Planners often have to call five people.'])).toEqual([]);
    expect(await found(['**Core problem**: planners need to call five people.'])).toEqual([]);
  });

  it('a story that a template leaves open is none', async () => {
    expect(
      await found([
        '## User story',
        '',
        '1. As a {}',
        '2. I want / need {}',
        '3. So that {reason}',
      ]),
    ).toEqual([]);
  });
});

describe('parts of documents', () => {
  it('what will not be had is excluded, risks and impact explain', async () => {
    expect(
      await found([
        '## Must have',
        '',
        '- Login with a name',
        '',
        '## Will not have',
        '',
        '- Login with a card',
      ]),
    ).toEqual(['- Login with a name']);
    expect(
      await found([
        '## Must have',
        '',
        '- Login with a name',
        '',
        '## Risk assessment & mitigation',
        '',
        '1. **Outage**: servers fail',
        '   - **Fallback**: Use the other server only',
        '',
        '## Impact',
        '',
        '- 12 % more orders',
      ]),
    ).toEqual(['- Login with a name']);
  });

  it('a colon inside parentheses makes no label', async () => {
    expect(
      await found([
        '## Requirements',
        '',
        '- Example (default: 48 kHz)',
        '- Example: 48 kHz of the test file',
      ]),
    ).toEqual(['- Example (default: 48 kHz)']);
  });

  it('a colon ends no sentence that goes on in small letters, and a purpose is no ability', async () => {
    expect(
      await found([
        'Storage is the same kind of thing as the time:',
        'state that is handed in so that it can be replaced.',
      ]),
    ).toEqual([]);
  });

  it('where the document says what it wants, columns do, too', async () => {
    expect(
      await found([
        '| Version | As a ... | I want to ... |',
        '|---|---|---|',
        '| v1 | guest | see the opening hours |',
      ]),
    ).toEqual(['| v1 | guest | see the opening hours |']);
  });

  it('what nobody needs to do is no obligation', async () => {
    expect(
      await found(['Tickets do not actually need to be closed.', 'Loans need to be closed.']),
    ).toEqual(['Loans need to be closed.']);
  });

  it('an outcome after another action is one more', async () => {
    const steps = [
      '#### Scenario: twice',
      '- **WHEN** it is saved',
      '- **THEN** the status is 200',
      '- **WHEN** it is saved again',
      '- **THEN** the status is 200',
    ];
    expect(await found(steps)).toEqual([steps[2], steps[4]]);
  });
});
describe('documents of tools', () => {
  it('spec-kit: identified requirements, stories and acceptance scenarios ask, gaps of the template do not', async () => {
    const lines = [
      '# Feature Specification: Bookmarks',
      '',
      '**Status**: Draft',
      '**Input**: User description: "Readers must keep pages"',
      '',
      '### User Story 1 - Save a page (Priority: P1)',
      '',
      '**Why this priority**: Without it nothing must be saved.',
      '',
      '**Acceptance Scenarios**:',
      '',
      '1. **Given** a page, **When** it is saved, **Then** it is in the list',
      '',
      '### Functional Requirements',
      '',
      '- **FR-001**: System MUST keep a page for a year',
      '- **FR-002**: Users MUST be able to [key interaction]',
      '- **FR-003**: Tags are optional [NEEDS CLARIFICATION: how many?]',
      '',
      '### Key Entities',
      '',
      '- **Page**: an address with a title',
    ];
    expect(await found(lines)).toEqual([lines[11], lines[15], lines[17]]);
  });

  it('OpenSpec: requirements and outcomes of scenarios ask, conditions do not', async () => {
    const lines = [
      '## ADDED Requirements',
      '',
      '### Requirement: Sessions end',
      'The system SHALL end a session after an hour.',
      '',
      '#### Scenario: Rejected after an hour',
      '- **WHEN** an hour has passed',
      '- **AND** a request comes',
      '- **THEN** it is refused',
      '- **AND** the session is deleted',
      '',
      '## REMOVED Requirements',
      '',
      '### Requirement: Endless sessions',
      'Sessions SHALL never end.',
    ];
    expect(await found(lines)).toEqual([lines[3], lines[8], lines[9]]);
  });

  it('a task box asks wherever it is, unless it is excluded or says what its author did', async () => {
    expect(
      await found([
        '## Setup',
        '- [ ] 1.1 Create the package',
        '- Node is needed',
        '## Out of scope',
        '- [ ] Payments',
        '## Checks',
        '- [x] I have read the guide',
      ]),
    ).toEqual(['- [ ] 1.1 Create the package']);
  });

  it('a heading with goals and non-goals leaves the decision to the labels below it', async () => {
    expect(
      await found([
        '## Goals and non-goals',
        '**Goals**',
        '- Limits change without a deployment',
        '',
        '**Non-goals**',
        '- Billing',
      ]),
    ).toEqual(['- Limits change without a deployment']);
  });
});

describe('other languages', () => {
  it('the words for must and should oblige', async () => {
    const lines = [
      'Система должна хранить корзину тридцать дней.',
      'カートは三十日間保存しなければならない。',
      'El sistema debería guardar el carrito.',
      'Die Seite muss in zwei Sekunden laden.',
    ];
    for (const line of lines) expect(await found([line]), line).toEqual([line]);
  });
});
