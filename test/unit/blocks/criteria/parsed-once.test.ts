import { expect, it } from 'vitest';
import { onceFor, parsedOnce } from '@/blocks/criteria/parsed-once.js';

/** A reader of files, and what it parsed. */
function counted() {
  const parsed: string[] = [];
  const read = parsedOnce(async (file: string, source: string) => {
    parsed.push(`${file}: ${source}`);
    return source === 'bad' ? 'it is bad' : { file, source };
  });
  return { parsed, read };
}

it('reads each of many files once, so that fifty rules read a site once', async () => {
  const { parsed, read } = counted();
  const names = Array.from({ length: 500 }, (_, index) => `${index}.html`);
  const kept = await Promise.all(names.map((name) => read(name, name)));
  expect(await Promise.all(names.map((name) => read(name, name)))).toEqual(kept);
  expect(parsed).toHaveLength(500);
});

it('reads a file once for all that ask at the same time, and again after a failure', async () => {
  const { parsed, read } = counted();
  const [one, other] = await Promise.all([read('x', 'a'), read('x', 'a')]);
  expect(one).toBe(other);
  expect(await Promise.all([read('x', 'bad'), read('x', 'bad')])).toEqual([
    'it is bad',
    'it is bad',
  ]);
  expect(parsed).toEqual(['x: a', 'x: bad']);
  let calls = 0;
  const failing = parsedOnce(async () => {
    calls += 1;
    throw new Error('broken');
  });
  await expect(failing('x', 'a')).rejects.toThrow('broken');
  await expect(failing('x', 'a')).rejects.toThrow('broken');
  expect(calls).toBe(2);
});

it('tells a file from its other texts and parts, and keeps eight of them', async () => {
  const { parsed, read } = counted();
  const texts = Array.from({ length: 9 }, (_, index) => String(index));
  const kept: unknown[] = [];
  for (const text of texts) kept.push(await read('x', text));
  for (const text of texts.slice(1)) expect(kept).toContain(await read('x', text));
  expect(parsed).toHaveLength(9);
  await read('x', '0');
  await read('y', '8');
  expect(parsed.slice(9)).toEqual(['x: 0', 'y: 8']);
});

it('forgets the file that was read first when there are too many', async () => {
  const { parsed, read } = counted();
  const kept: unknown[] = [];
  for (let at = 0; at < 1001; at += 1) kept.push(await read(`${at}`, 'a'));
  await read('1', 'a');
  expect(parsed).toHaveLength(1001);
  await read('0', 'a');
  expect(parsed).toHaveLength(1002);
  expect(kept).toHaveLength(1001);
});

it('makes a value once for each object', () => {
  let made = 0;
  const lengthOf = onceFor((list: readonly string[]) => {
    made += 1;
    return { length: list.length };
  });
  const list = ['a'];
  expect([lengthOf(list), lengthOf(list), lengthOf(['b', 'c'])]).toEqual([
    { length: 1 },
    { length: 1 },
    { length: 2 },
  ]);
  expect(made).toBe(2);
});
