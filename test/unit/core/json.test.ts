import { describe, expect, it } from 'vitest';
import { ReviewLoopError } from '../../../src/core/errors.js';
import { canonicalJson, copyJson, digestOf } from '../../../src/core/json.js';

class Money {
  readonly amount = 1;
}

function refusal(value: unknown): string {
  try {
    copyJson(value, { freeze: true });
  } catch (error) {
    if (error instanceof ReviewLoopError && error.code === 'not_json') return error.message;
    throw error;
  }
  throw new Error('expected a refusal');
}

describe('copyJson', () => {
  it('copies deeply and leaves the original its own', () => {
    const original = { list: [{ deep: 1 }], text: 'a', none: null };
    const copied = copyJson(original, { freeze: false });
    expect(copied).toEqual(original);
    copied.list.push({ deep: 2 });
    expect(original.list.length).toBe(1);
    expect(Object.isFrozen(original.list)).toBe(false);
  });

  it('freezes every level when it is asked to', () => {
    const copied = copyJson({ list: [{ deep: 1 }] }, { freeze: true });
    expect([copied, copied.list, copied.list[0]].every(Object.isFrozen)).toBe(true);
    expect(() => copied.list.push({ deep: 2 })).toThrow(TypeError);
    expect(Object.isFrozen(copyJson({}, { freeze: false }))).toBe(false);
  });

  it('leaves undefined members out, as JSON does', () => {
    expect(Object.keys(copyJson({ a: undefined, b: 1 }, { freeze: true }))).toEqual(['b']);
  });

  it('keeps a member called __proto__ as data', () => {
    const copied = copyJson(JSON.parse('{"__proto__": {"admin": true}, "a": 1}'), { freeze: true });
    expect(Object.keys(copied)).toEqual(['__proto__', 'a']);
    expect(copied.admin).toBeUndefined();
    expect(Object.getPrototypeOf(copied)).toBe(Object.prototype);
    expect(canonicalJson(copied)).toBe('{"__proto__":{"admin":true},"a":1}');
  });

  it('takes objects without a prototype', () => {
    expect(copyJson(Object.assign(Object.create(null), { a: 1 }), { freeze: true })).toEqual({
      a: 1,
    });
  });

  it.each([
    ['NaN', Number.NaN, 'found NaN at $.a[1]'],
    ['Infinity', Number.POSITIVE_INFINITY, 'found Infinity at $.a[1]'],
    ['a bigint', 1n, 'found a bigint at $.a[1]'],
    ['a function', () => {}, 'found a function at $.a[1]'],
    ['a symbol', Symbol('s'), 'found a symbol at $.a[1]'],
    ['undefined in an array', undefined, 'found undefined at $.a[1]'],
    ['a Map', new Map(), 'found a Map at $.a[1]'],
    ['a Set', new Set(), 'found a Set at $.a[1]'],
    ['a Date', new Date(0), 'found a Date at $.a[1]'],
    ['a class instance', new Money(), 'found a Money at $.a[1]'],
    ['an Error', new Error('e'), 'found a Error at $.a[1]'],
    ['bytes', new Uint8Array(1), 'found a Uint8Array at $.a[1]'],
    ['a boxed text', Object('text'), 'found a String at $.a[1]'],
    ['a promise', Promise.resolve(), 'found a Promise at $.a[1]'],
    ['a sparse array', new Array(1), 'found undefined at $.a[1][0]'],
  ])('refuses %s, and says where it stands', (_, value, message) => {
    expect(refusal({ a: [0, value] })).toContain(`${message}, which is not JSON`);
  });

  it('names the value itself when that is refused', () => {
    expect(refusal(undefined)).toContain('found undefined at $,');
    expect(refusal(Number.NEGATIVE_INFINITY)).toContain('found -Infinity at $,');
  });

  it('refuses data that contains itself, in bounded time', () => {
    const loop: { self?: unknown; list: unknown[] } = { list: [] };
    loop.self = loop;
    loop.list.push(loop);
    expect(refusal(loop)).toContain('data that contains itself');
    expect(refusal(loop)).toMatch(/at \$(\.\w+|\[\d\]){20}\.\.\., which/);
  });

  it('takes 500 levels, and no more', () => {
    const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
    expect(canonicalJson(copyJson(nested(501), { freeze: true })).length).toBe(1002);
    expect(refusal(nested(502))).toContain('nested deeper than 500 levels');
    expect(refusal(nested(5000))).toContain('nested deeper than 500 levels');
  });
});

describe('canonicalJson and digestOf', () => {
  it('does not depend on the order of members', () => {
    expect(canonicalJson({ b: [1, { d: 1, c: 2 }], a: 'x' })).toBe(
      '{"a":"x","b":[1,{"c":2,"d":1}]}',
    );
    expect(digestOf({ a: 1, b: 2 })).toBe(digestOf({ b: 2, a: 1 }));
  });

  it('tells apart what is not equal', () => {
    const values = [
      null,
      0,
      1,
      '',
      '0',
      false,
      true,
      [],
      {},
      [[]],
      [null],
      { a: null },
      { a: [] },
      ['a', 'b'],
      ['ab'],
      { a: 'b' },
      '{"a":"b"}',
      '\ud800',
      '\udbff',
      '\ufffd',
    ];
    expect(new Set(values.map(digestOf)).size).toBe(values.length);
  });

  it('is SHA-256 in hexadecimal over UTF-8', () => {
    expect(digestOf(null)).toBe('74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b');
    expect(digestOf({})).toBe('44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a');
  });
});
