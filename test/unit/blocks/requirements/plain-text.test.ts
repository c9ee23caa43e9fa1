import { expect, it } from 'vitest';
import { plainText } from '@/blocks/requirements/plain-text.js';

it.each([
  ['**Depends on:** T-1', 'Depends on: T-1'],
  ['_so_ *it* ~~was~~', 'so it was'],
  ['snake_case_name and 2 * 3', 'snake_case_name and 2  3'],
  ['`a*b*c` and ``d``', 'a*b*c and d'],
  ['see [the page](https://a.b "A") and ![a picture](p.png)', 'see the page and a picture'],
  ['<https://a.b>', 'https://a.b'],
  ['\\*not bold\\*', '*not bold*'],
  ['[x] and [link]', '[x] and [link]'],
])('plainText: %s', (line, expected) => {
  expect(plainText(line)).toBe(expected);
});
