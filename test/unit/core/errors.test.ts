import { describe, expect, it, vi } from 'vitest';
import { isReviewError, messageOf, ReviewLoopError } from '../../../src/core/errors.js';
import { checkKeys, checkPositive, checkRange, checkWhole } from '../../../src/core/options.js';
import { errorCodes } from '../../../src/errors.js';

describe('ReviewLoopError', () => {
  it('says what happened and how to fix it, with code, cause and refused value', () => {
    const cause = new Error('cause');
    const error = new ReviewLoopError('run_busy', 'run a is already in progress', {
      cause,
      value: 'a',
      retryable: true,
    });
    expect(error).toMatchObject({
      name: 'ReviewLoopError',
      code: 'run_busy',
      cause,
      value: 'a',
      retryable: true,
      kind: 'environment',
      fix: errorCodes.run_busy.fix,
    });
    expect(error.message).toBe(`run a is already in progress. ${errorCodes.run_busy.fix}`);
    expect(error).toBeInstanceOf(Error);
  });

  it('is not retryable and has no cause unless it is told', () => {
    const error = new ReviewLoopError('timeout', 'late');
    expect([error.retryable, 'cause' in error, error.value]).toEqual([false, false, undefined]);
  });

  it('every code has a way to fix it', () => {
    for (const [name, { code, fix }] of Object.entries(errorCodes)) {
      expect(code).toBe(name);
      expect(code).toMatch(/^[a-z_]+$/);
      expect(fix).toMatch(/[.:?)]$/);
    }
  });
});

describe('isReviewError', () => {
  it('knows the errors of another copy of the package', async () => {
    vi.resetModules();
    const copy = await import('../../../src/core/errors.js');
    const foreign = new copy.ReviewLoopError('timeout', 'late');
    expect(foreign).not.toBeInstanceOf(ReviewLoopError);
    expect(isReviewError(foreign)).toBe(true);
    expect(copy.isReviewError(new ReviewLoopError('timeout', 'late'))).toBe(true);
  });

  it('takes nothing else for one', () => {
    for (const other of [
      new Error('e'),
      null,
      undefined,
      'timeout',
      7,
      { code: 'timeout', message: 'late' },
      () => {},
    ])
      expect(isReviewError(other)).toBe(false);
  });

  it('is not fooled by data: the mark does not survive JSON', () => {
    expect(isReviewError(JSON.parse(JSON.stringify(new ReviewLoopError('timeout', 'late'))))).toBe(
      false,
    );
  });
});

describe('messageOf', () => {
  it.each([
    [new Error('text'), 'text'],
    [new TypeError(''), 'TypeError'],
    ['a text', 'a text'],
    [undefined, 'undefined'],
    [null, 'null'],
    [7n, '7'],
    [Symbol('s'), 'Symbol(s)'],
    [Object.create(null), '[object Object]'],
  ])('gives the text of %s', (thrown, text) => {
    expect(messageOf(thrown)).toBe(text);
  });
});

describe('checks of options', () => {
  it.each([
    [
      'a range',
      () => checkRange('quality', 1.5),
      'expected `quality` to be a number from 0 to 1, got 1.5',
    ],
    ['NaN', () => checkRange('quality', Number.NaN), 'got NaN'],
    [
      'a whole number',
      () => checkWhole('iterations', 0, 1),
      'expected `iterations` to be a whole number from 1, got 0',
    ],
    ['a fraction', () => checkWhole('iterations', 1.5, 1), 'got 1.5'],
    [
      'a positive number',
      () => checkPositive('tokens', 0),
      'expected `tokens` to be a number above 0, got 0',
    ],
    ['a text for a number', () => checkPositive('tokens', '5'), 'got "5"'],
    [
      'an unknown key',
      () => checkKeys('budget', { iteration: 1 }, ['iterations']),
      'budget has no option `iteration`; it has iterations',
    ],
  ])('say what was expected and what they got: %s', (_, check, message) => {
    expect(check).toThrow(
      expect.objectContaining({
        code: 'invalid_options',
        message: expect.stringContaining(message),
      }),
    );
  });

  it('let good values through', () => {
    checkRange('a', 0);
    checkRange('a', 1);
    checkWhole('a', 1, 1);
    checkPositive('a', undefined);
    checkPositive('a', Number.POSITIVE_INFINITY);
    checkKeys('a', {}, []);
  });
});
