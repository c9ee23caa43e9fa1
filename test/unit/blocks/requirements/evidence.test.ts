import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  coverageProbability,
  type EvidenceFinder,
  evidenceFinder,
} from '@/blocks/requirements/evidence.js';

const over = (text: string): Promise<EvidenceFinder> => evidenceFinder([{ text, file: 'out.md' }]);
const asked = 'The report page must have a dark mode';

describe('evidenceFinder', () => {
  it('finds the best place of each artifact, with file, line and quote [SR-141, SR-30, SR-31]', async () => {
    const find = await evidenceFinder([
      { text: '# Cart\n\nThe total of the cart is shown.', file: 'cart.md' },
      { text: 'export function cartTotals() {}', file: 'cart.ts' },
      { text: 'Nothing', file: 'x.md' },
    ]);
    const { state, confidence, evidence } = find('The cart shows its total');
    expect(state).toBe('covered');
    expect(confidence).toBeGreaterThan(0.5);
    expect(evidence[0]).toMatchObject({ file: 'cart.md', line: 1, quote: '# Cart' });
    expect(evidence.map(({ file }) => file)).toEqual(['cart.md', 'cart.ts']);
  });

  it.each([
    ['negated', 'The report page has no dark mode.'],
    ['planned', 'TODO: dark mode of the report page'],
    ['planned', 'Dark mode of the report page is not implemented yet'],
    ['planned', '- [ ] dark mode for the report page'],
    ['restated', 'Task: The report page must have a dark mode.'],
  ])('what is %s is unsure, never covered: %s', async (doubt, text) => {
    const { state, confidence, evidence } = (await over(text))(asked);
    expect(state).toBe('unsure');
    expect(confidence).toBeLessThanOrEqual(0.5);
    expect(evidence[0]?.doubt).toBe(doubt);
  });

  it('a sound place counts although the task was pasted elsewhere', async () => {
    const text = `${asked}\n\n${'Filler words stand here. '.repeat(30)}\n${'\nother words'.repeat(12)}\n\nThe report page switches to dark mode by its menu`;
    expect((await over(text))(asked).state).toBe('covered');
  });

  it('a requirement that forbids is not doubted for its own negation', async () => {
    expect(
      (await over('Passwords are never written to the log'))('The log must not contain passwords')
        .state,
    ).not.toBe('uncovered');
  });

  it('stop words show nothing, empty requirements are uncovered, some of the words are unsure [D004-25]', async () => {
    const find = await over('The user of a page uses all of the fields');
    expect(find('the use of a quantum flux')).toMatchObject({ state: 'uncovered', confidence: 0 });
    for (const empty of ['', ' ', 'the of a'])
      expect(find(empty)).toEqual({
        state: 'uncovered',
        confidence: 0,
        probability: 0,
        evidence: [],
      });
    expect((await over('passwords everywhere'))('Password visibility toggle button').state).toBe(
      'uncovered',
    );
    expect(
      (await over('password toggles'))('Password visibility toggle button colour size').state,
    ).toBe('unsure');
  });

  it('reads long texts exactly, with the same doubts', async () => {
    const find = await over(`${'word '.repeat(30_000)}\nTODO: dark mode of the report page`);
    expect(find(asked)).toMatchObject({ state: 'unsure' });
  });

  it('refuses options out of range and unknown ones', async () => {
    await expect(evidenceFinder([], { covered: 2 })).rejects.toThrow(/covered/);
    await expect(evidenceFinder([], { most: 2 } as object)).rejects.toThrow(/most/);
  });
});

describe('coverageProbability', () => {
  it('is a probability that never falls with the share of words', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (a, b) => {
          const [low, high] = [
            coverageProbability(Math.min(a, b)),
            coverageProbability(Math.max(a, b)),
          ];
          expect(low).toBeLessThanOrEqual(high);
          expect(low).toBeGreaterThan(0);
          expect(high).toBeLessThan(1);
        },
      ),
    );
  });

  it('takes what lies outside for the nearest share', () => {
    expect(coverageProbability(-1)).toBe(coverageProbability(0));
    expect(coverageProbability(2)).toBe(coverageProbability(1));
  });

  it('words never make it sure, and a doubtful place halves it', async () => {
    const asked = 'The report page must have a dark mode';
    const of = async (text: string): Promise<number> =>
      (await evidenceFinder([{ text }]))(asked).probability;
    const [done, planned, absent] = [
      await of('The report page switches to dark mode'),
      await of('TODO: dark mode of the report page'),
      await of('Nothing of the kind'),
    ];
    expect(done).toBeGreaterThan(0.75);
    expect(done).toBeLessThan(0.9);
    expect(planned).toBeCloseTo(done / 2, 1);
    expect(absent).toBeLessThan(planned);
  });
});
