import { expect, it } from 'vitest';
import { overallText } from '@/faces/reports/score-text.js';

it.each([
  [2 / 3, '0.67'],
  [0.757, '0.76'],
  [0.5599999999999999, '0.56'],
  [0.999, '0.99'],
  [1, '1.00'],
  [0, '0.00'],
  [null, 'unknown'],
])('%s is shown rounded to two decimals, as %s [R2-088]', (overall, text) => {
  expect(overallText({ overall, judged: 4, total: 4 })).toBe(text);
});
