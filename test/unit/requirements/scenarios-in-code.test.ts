import { describe, expect, it } from 'vitest';
import { explicitRequirements } from '../../../src/requirements/explicit-requirements.js';
import { sectionKind } from '../../../src/requirements/sections.js';

async function found(...lines: string[]): Promise<string[]> {
  return (await explicitRequirements(lines.join('\n'))).map(({ text }) => text);
}

const fence = '```';

describe('code without a language', () => {
  const steps = ['GIVEN: I am on the pier', 'WHEN: I ring the bell', 'AND WHEN: I wait'];
  const outcomes = ['THEN: I should see the pilot', 'AND: the lamp should be lit'];

  it.each(['', 'text'])('is read if most of its lines are steps: "%s"', async (language) => {
    const code = [fence + language, 'Ringing the bell:', '', ...steps, ...outcomes, fence];
    expect(await found('# Harbour', '', '**Ringing**', ...code)).toEqual(outcomes);
  });

  it.each([
    ['of a language', ['```sh', ...steps, ...outcomes, fence]],
    [
      'with few steps',
      [fence, ...steps, ...outcomes, ...steps.map((_, at) => `x${at}`), 'y', 'z', 'u', fence],
    ],
    ['without an outcome', [fence, ...steps, fence]],
    ['without a condition', [fence, ...outcomes, fence]],
  ])('is an example otherwise: %s', async (_, code) => {
    expect(await found('# Harbour', '', 'The pier must have a bell.', '', ...code)).toEqual([
      'The pier must have a bell.',
    ]);
  });
});

describe('names of sections', () => {
  it('that name a work say nothing by their last word', () => {
    expect(['Adding credits', 'Editing feedback', 'Creating examples'].map(sectionKind)).toEqual([
      'open',
      'open',
      'open',
    ]);
    expect(['Credits', 'Feedback', 'Examples'].map(sectionKind)).toEqual([
      'unclear',
      'unclear',
      'background',
    ]);
  });

  it('tell what is accepted from the review of a specification', () => {
    expect(sectionKind('Acceptance checklist')).toBe('acceptance');
    expect(sectionKind('Review & Acceptance Checklist')).toBe('excluded');
  });
});

describe('items of a list', () => {
  it('ask if half of the list asks', async () => {
    const items = ['Grey lamps.', 'The bell must ring twice.', 'A ladder is shown.', 'Tide table.'];
    const list = items.map((item) => `- ${item}`);
    expect(await found('# Harbour', '', '## Pier', '', ...list)).toEqual(items);
  });

  it('that forbid are duties, also where the section says what is left out', async () => {
    const list = ['- Do not paint the pier', '- A second pier', '- Never close the gate'];
    expect(
      await found('# Harbour', '', '- Lamps must be grey', '', '## Non-goals', '', ...list),
    ).toEqual(['Lamps must be grey', 'Do not paint the pier', 'Never close the gate']);
  });
});
