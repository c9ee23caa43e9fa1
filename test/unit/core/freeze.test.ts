import { describe, expect, it } from 'vitest';
import { deepFrozen } from '@/core/json.js';

describe('frozen data', () => {
  it('is the same data, frozen at every level', () => {
    const data = { list: [{ deep: [null, 'x', 1, undefined] }], none: null };
    expect(deepFrozen(data)).toBe(data);
    expect([data, data.list, data.list[0], data.list[0]?.deep].every(Object.isFrozen)).toBe(true);
  });

  it('leaves errors and functions as they are, because others add members to them', () => {
    const error = new Error('e');
    const work = (): void => {};
    deepFrozen({ error, work });
    deepFrozen(error);
    deepFrozen(work);
    expect([error, work].some(Object.isFrozen)).toBe(false);
  });

  it.each([null, undefined, 'text', 7, false])('takes %s', (value) => {
    expect(deepFrozen(value)).toBe(value);
  });
});
