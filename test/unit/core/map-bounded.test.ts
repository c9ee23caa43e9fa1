import { describe, expect, it } from 'vitest';
import { mapBounded } from '@/core/map-bounded.js';

describe('mapBounded', () => {
  it('gives the values in the order of the items, with at most n under way', async () => {
    let open = 0;
    let most = 0;
    const values = await mapBounded([3, 1, 2], 2, async (item) => {
      open += 1;
      most = Math.max(most, open);
      for (let turn = 0; turn < item; turn += 1) await Promise.resolve();
      open -= 1;
      return item * 10;
    });
    expect(values).toEqual([30, 10, 20]);
    expect(most).toBe(2);
  });

  it('throws the first error once nothing is under way, and begins nothing after it', async () => {
    const begun: number[] = [];
    let open = 0;
    const work = async (item: number): Promise<void> => {
      begun.push(item);
      open += 1;
      await Promise.resolve();
      if (item !== 1) await Promise.resolve();
      open -= 1;
      if (item === 1) throw new Error('first');
    };
    await expect(mapBounded([1, 2, 3, 4], 2, work)).rejects.toThrow('first');
    expect(begun).not.toContain(4);
    expect(open).toBe(0);
  });
});
