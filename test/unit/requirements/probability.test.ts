import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coverageProbability, evidenceFinder } from '@/requirements/evidence.js';

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
