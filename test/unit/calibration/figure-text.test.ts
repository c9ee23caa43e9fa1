import fc from 'fast-check';
import { expect, it } from 'vitest';
import { figureText } from '../../../src/calibration/figure-text.js';

it.each([
  [2 / 3, undefined, '0.67'],
  [0.757, undefined, '0.76'],
  [0.5599999999999999, undefined, '0.56'],
  [1, undefined, '1'],
  [0.6996, 0.7, '0.6996'],
  [0.699999, 0.7, '0.699999'],
  [0.7, 0.7, '0.7'],
])('%s beside the bar %s is shown as %s [R2-088]', (value, bar, text) => {
  expect(figureText(value, bar)).toBe(text);
});

it('no figure that misses its bar reads as the bar [R2-088]', () => {
  const share = fc.integer({ min: 0, max: 1_000_000 }).map((part) => part / 1_000_000);
  fc.assert(
    fc.property(share, share, (value, bar) => {
      expect(figureText(value, bar) === String(bar)).toBe(
        value === bar && figureText(bar) === String(bar),
      );
    }),
  );
});
