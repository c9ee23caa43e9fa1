import { expect, test } from 'vitest';
import { mutex } from '@/core/mutex.js';
import { throwing } from '../../support/throwing.js';

test('work is done one piece at a time, in the order of the calls', async () => {
  const turn = mutex();
  const seen: string[] = [];
  const work = (name: string) => async () => {
    seen.push(`${name} begins`);
    await Promise.resolve();
    seen.push(`${name} ends`);
    return name;
  };
  expect(await Promise.all([turn(work('a')), turn(work('b'))])).toEqual(['a', 'b']);
  expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
});

test('work that fails rejects its own call, and the next goes on', async () => {
  const turn = mutex();
  const failed = turn(throwing('no'));
  const next = turn(() => 1);
  await expect(failed).rejects.toThrow('no');
  expect(await next).toBe(1);
});
