import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { messageOf } from '@/core/errors.js';
import { hashText } from '@/core/hash.js';
import {
  checkAge,
  checkChoice,
  checkKeys,
  checkLimit,
  checkList,
  checkPlain,
  checkPositive,
  checkRange,
  checkWhole,
  filled,
  fits,
  invalid,
  parseInput,
  shaped,
} from '@/core/options.js';
import { plural } from '@/core/plural.js';
import { portableHash } from '@/core/portable-hash.js';
import { withCode } from '../../support/matchers.js';

type Check = (name: string, value: unknown) => void;

const whole: Check = (name, value) => checkWhole(name, value, 3);
const limit = 'a whole number from 1';
const plainList = 'a plain list without holes';
const nan = Number.NaN;
const getter = { get: () => 1, enumerable: true };

describe('checks of options', () => {
  it.each<[string, Check, readonly unknown[], readonly unknown[], string]>([
    ['range', checkRange, [0, 0.5, 1], [-0.1, 1.1, nan, '1', undefined], 'a number from 0 to 1'],
    ['whole', whole, [3, 4], [2, 3.5, nan, Infinity, '3', undefined], 'a whole number from 3'],
    ['limit', checkLimit, [1, 2, Infinity], [0, 1.5, -Infinity, '1'], limit],
    ['fits', fits('odd', (value) => Number(value) % 2 === 1), [1, 3], [2, 'a'], 'odd'],
    ['shaped', shaped('a word', /^\w+$/), ['a'], ['', 'a b', 1, ['a'], null], 'a word'],
    ['filled', filled(), ['a', ' a '], ['', ' ', 1, ['a'], null], 'a text that is not empty'],
    ['above', checkPositive, [undefined, 0.1, Infinity], [0, -1, nan, '1'], 'a number above 0'],
    ['age', checkAge, [0, 0.5, Infinity], [-1, nan, '1', undefined], 'a number from 0'],
    ['list', checkList, [[], [1]], ['a', { length: 0 }, new Array(1), undefined], plainList],
  ])('%s: takes what is right, and names what is not', (_, check, right, wrong, expected) => {
    for (const value of right) expect(() => check('name', value), String(value)).not.toThrow();
    for (const value of wrong)
      expect(() => check('name', value), String(value)).toThrow(
        expect.objectContaining({
          code: 'invalid_options',
          value,
          message: expect.stringContaining(`expected \`name\` to be ${expected}, got `),
        }),
      );
  });

  it('a choice is left out or one of the texts, which the error lists', () => {
    const choose = (value: unknown) => () => checkChoice('by', value, ['ask', 'stop', 'wait']);
    for (const value of [undefined, 'ask', 'wait']) expect(choose(value)).not.toThrow();
    expect(choose('later')).toThrow("expected `by` to be 'ask', 'stop' or 'wait', got \"later\"");
    expect(choose(null)).toThrow('got null');
  });

  it('unknown members are listed beside the known ones, and are the value', () => {
    expect(() => checkKeys('block', { a: 1 }, ['a', 'b'])).not.toThrow();
    expect(() => checkKeys('block', { a: 1, x: 1, y: 2 }, ['a', 'b'])).toThrow(
      expect.objectContaining({
        code: 'invalid_options',
        value: ['x', 'y'],
        message: expect.stringContaining('block has no option `x`, `y`; it has a, b'),
      }),
    );
  });

  it.each<[string, unknown, string]>([
    ['a map', new Map(), 'an instance of Map'],
    ['a list', [], 'an instance of Array'],
    ['null', null, 'null'],
    ['a text', 'text', '"text"'],
    ['a function', () => {}, '=>'],
    ['an object of no class', Object.create(Object.create(null)), 'an instance of a class'],
    ['a getter', Object.defineProperty({}, 'a', getter), 'the getter, symbol or hidden member a'],
    ['a symbol', { [Symbol('s')]: 1 }, 'the getter, symbol or hidden member Symbol(s)'],
    ['a hidden member', Object.defineProperty({}, 'b', { value: 1 }), 'or hidden member b'],
  ])('options that are %s are refused: members would be missed', (_, value, got) => {
    for (const check of [
      checkPlain,
      (name: string, given: unknown) => checkKeys(name, given as object, []),
    ])
      expect(() => check('block', value)).toThrow(
        expect.objectContaining({
          code: 'invalid_options',
          value,
          message: expect.stringMatching(/^block /),
        }),
      );
    expect(() => checkPlain('block', value)).toThrow(got);
  });

  it('members that nobody sees are refused, and an object without a prototype is plain', () => {
    const hidden = Object.defineProperty({ a: 1 }, 'b', { get: () => 1, enumerable: false });
    expect(() => checkPlain('block', hidden)).toThrow('hidden member b');
    expect(() => checkPlain('block', Object.create(null))).not.toThrow();
  });

  it.each<[unknown, string]>([
    ['c', '"c"'],
    [7, '7'],
    [undefined, 'undefined'],
    [[1, 2], 'an instance of Array'],
    [{}, '{}'],
    // a value may be secret
    [{ id: 'tone', key: 'sk-1' }, '{id,key}'],
    [new Error('sk-1'), 'an instance of Error'],
  ])('the error shows %o as %s', (value, got) => {
    expect(messageOf(invalid('a', 'b', value))).toBe(`expected \`a\` to be b, got ${got}`);
  });
});

describe('small functions', () => {
  it('parseInput returns what the schema makes of a value, or names what was refused', () => {
    const schema = z.object({ a: z.number().default(1) });
    const refused = { error: 'task_invalid', what: 'task' } as const;
    expect(parseInput(schema, {}, refused)).toEqual({ a: 1 });
    expect(() => parseInput(schema, { a: 'x' }, refused)).toThrow(
      expect.objectContaining({
        code: 'task_invalid',
        value: { a: 'x' },
        cause: expect.any(z.ZodError),
        message: expect.stringMatching(/^the task was refused/),
      }),
    );
  });

  it('plural takes one, many and irregular nouns', () => {
    expect([plural(1, 'gap'), plural(0, 'gap'), plural(2, 'gap')]).toEqual([
      '1 gap',
      '0 gaps',
      '2 gaps',
    ]);
    expect([plural(1, 'entry', 'entries'), plural(2, 'entry', 'entries')]).toEqual([
      '1 entry',
      '2 entries',
    ]);
  });

  it('both hashes are SHA-256', () => {
    const hash = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
    expect([portableHash('abc'), hashText('abc')]).toEqual([hash, hash]);
    expect(portableHash('ä\u{1F600}')).toBe(hashText('ä\u{1F600}'));
  });
});

it.each([undefined, null, 'text', 7, true, () => {}])(
  'options that are no object are refused: %s',
  (value) => {
    expect(() => checkPlain('it', value)).toThrow(withCode('invalid_options'));
  },
);
