import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { ReviewLoopError } from '@/core/errors.js';
import { canonicalJson, copyJson, digestOf, isPlainObject } from '@/core/json.js';
import { jsonOrText } from '@/core/json-or-text.js';

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

describe('a text that a person typed as a value', () => {
  it.each<[string, unknown]>([
    ['{"a": [1, null]}', { a: [1, null] }],
    ['7', 7],
    ['false', false],
    ['null', null],
    ['"seven"', 'seven'],
  ])('is its JSON data: %s', (text, value) => {
    expect(jsonOrText(text)).toEqual(value);
  });

  it.each(['ship it', '', '{"a": 1', "{'a': 1}", ' yes, 7 of 9 '])(
    'is itself if it is not JSON: %s',
    (text) => {
      expect(jsonOrText(text)).toBe(text);
    },
  );
});

describe('copies of data', () => {
  const failing = (error: unknown) =>
    new Proxy(
      {},
      {
        ownKeys: () => {
          throw error;
        },
      },
    );

  it('name what could not be read, and keep its cause', () => {
    const cause = new Error('revoked');
    expect(() => copyJson(failing(cause), { freeze: false })).toThrow(
      expect.objectContaining({
        code: 'not_json',
        cause,
        message: expect.stringContaining('revoked'),
      }),
    );
    const typed = new ReviewLoopError('timeout', 'late');
    expect(() => copyJson(failing(typed), { freeze: false })).toThrow(typed);
  });

  it('a member called __proto__ may be changed and removed as any other', () => {
    const copied = copyJson(JSON.parse('{"__proto__":{"a":1}}'), { freeze: false });
    expect(Object.getOwnPropertyDescriptor(copied, '__proto__')).toEqual({
      value: { a: 1 },
      enumerable: true,
      configurable: true,
      writable: true,
    });
  });

  it('take plain objects of another realm, and no instances', () => {
    class Thing {}
    const foreign: object = runInNewContext('({ a: 1 })');
    expect(copyJson(foreign, { freeze: false })).toEqual({ a: 1 });
    expect(isPlainObject(foreign)).toBe(true);
    const bare = Object.create(null);
    const others = [
      new Thing(),
      runInNewContext('new Map()'),
      Object.create(bare),
      Object.create({ a: 1 }),
    ];
    expect(others.map(isPlainObject)).toEqual([false, false, false, false]);
    const posing = Object.assign(Object.create(Object.create({})), { isPrototypeOf: 1 });
    expect(isPlainObject(Object.create(posing))).toBe(false);
  });

  it('end at two million values, where shared parts count each time', () => {
    const list = (length: number) => new Array<number>(length).fill(0);
    expect(() => copyJson([list(999_999), list(999_999)], { freeze: false })).not.toThrow();
    const shared = list(1_000_000);
    expect(() => copyJson([shared, shared], { freeze: false })).toThrow('more than 2000000 values');
    const members = Object.fromEntries(list(10).map((_, index) => [index, 0]));
    expect(() => copyJson([list(1_999_989), members], { freeze: false })).toThrow('$[1]');
  });

  it('canonical JSON leaves out what is undefined, in lists it is null', () => {
    expect(canonicalJson({ a: undefined, b: 1 })).toBe('{"b":1}');
    expect(canonicalJson([undefined])).toBe('[null]');
    expect(digestOf({ a: { b: [1] } })).toBe(digestOf({ a: { b: [1] } }));
    expect(Object.isFrozen(copyJson({ a: [] }, { freeze: false }).a)).toBe(false);
  });
});
