import { expect, it } from 'vitest';
import { nearestWord } from '@/core/text/schema-problems.js';

const known = ['id', 'text', 'strength', 'line'];

it.each([
  ['strenght', 'strength'],
  ['Text', 'text'],
  ['texts', 'text'],
  ['lin', 'line'],
  ['requirement', undefined],
])('%s is most like %s', (given, expected) => {
  expect(nearestWord(given, known)).toBe(expected);
});

it('a text is like no word', () => {
  expect(nearestWord('text '.repeat(100_000), known)).toBeUndefined();
});
