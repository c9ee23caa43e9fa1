import { expect, it } from 'vitest';
import { RecentReadings } from '@/criteria/recent-readings.js';

const readings = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ file: `${index}.html`, source: `text ${index}` }));

it('finds each of many files again, so that fifty rules read a site once', () => {
  const recent = new RecentReadings();
  const all = readings(500);
  for (const one of all) recent.keep(one);
  expect(all.filter(({ file, source }) => recent.find(file, source) === undefined)).toEqual([]);
});

it('finds a file by its text, and several parts of one file', () => {
  const recent = new RecentReadings();
  const parts = ['a', 'b', 'c'].map((source) => recent.keep({ file: 'x', source }));
  expect(parts.map(({ source }) => recent.find('x', source))).toEqual(parts);
  expect(recent.find('x', 'd')).toBeUndefined();
  expect(recent.find('y', 'a')).toBeUndefined();
});

it('forgets the file that was read first, and the oldest text of a file', () => {
  const recent = new RecentReadings(2);
  const [first, second, third] = readings(3).map((one) => recent.keep(one));
  expect(recent.find('0.html', 'text 0')).toBeUndefined();
  expect([recent.find('1.html', 'text 1'), recent.find('2.html', 'text 2')]).toEqual([
    second,
    third,
  ]);
  expect(first).toBeDefined();
  const texts = Array.from({ length: 9 }, (_, index) => String(index));
  const kept = texts.map((source) => recent.keep({ file: 'x', source }));
  expect(texts.map((source) => recent.find('x', source) !== undefined)).toEqual([
    false,
    ...Array.from({ length: 8 }, () => true),
  ]);
  expect(kept).toHaveLength(9);
});
