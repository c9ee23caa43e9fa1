import { describe, expect, it } from 'vitest';
import { checkPlain } from '../../../src/core/options.js';
import { scoreBelow } from '../../../src/core/score-text.js';

describe('a score that is hardly below its bar', () => {
  it('is told with as many decimals as show it, and twelve at most', () => {
    expect(scoreBelow('overall', 0.5, 0.8)).toBe('overall 0.50 is below 0.80');
    expect(scoreBelow('overall', 0.7996, 0.8)).toBe('overall 0.7996 is below 0.8000');
    expect(scoreBelow('overall', 0.8 - 1e-15, 0.8)).toBe(
      'overall 0.800000000000 is below 0.800000000000',
    );
  });
});

describe('options that are no object', () => {
  it.each([undefined, null, 'text', 7, true, () => {}])('are refused: %s', (value) => {
    expect(() => checkPlain('it', value)).toThrow(
      expect.objectContaining({ code: 'invalid_options' }),
    );
  });
});
