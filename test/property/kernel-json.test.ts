import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashText } from '@/core/hash.js';
import { canonicalJson, copyJson, digestOf } from '@/core/json.js';
import { portableHash } from '@/core/portable-hash.js';

fc.configureGlobal({ seed: 20, numRuns: 500 });

/** JSON data with lone surrogates, `__proto__` keys and -0 among it. */
const json = fc
  .jsonValue({ stringUnit: 'binary' })
  .map((value): unknown => JSON.parse(JSON.stringify(value)));

const shuffled = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shuffled);
  if (typeof value !== 'object' || value === null) return value;
  const copied: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value).reverse())
    Object.defineProperty(copied, key, {
      value: shuffled(member),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  return copied;
};

it('hashText is the same with and without the help of the platform', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 200 }),
      (text) => hashText(text) === portableHash(text),
    ),
  );
  expect(hashText('\ud800')).toBe(portableHash('\ud800'));
});

describe('JSON data', () => {
  it('has equal canonical texts and digests exactly when it is deeply equal', () => {
    fc.assert(
      fc.property(json, json, (a, b) => {
        expect(canonicalJson(a) === canonicalJson(b)).toBe(isDeepStrictEqual(a, b));
        expect(digestOf(a) === digestOf(b)).toBe(isDeepStrictEqual(a, b));
      }),
    );
  });

  it('has the same canonical text whatever the order of its members', () => {
    fc.assert(
      fc.property(json, (value) => canonicalJson(shuffled(value)) === canonicalJson(value)),
    );
  });

  it('has a canonical text that is JSON of the same data', () => {
    fc.assert(
      fc.property(json, (value) => isDeepStrictEqual(JSON.parse(canonicalJson(value)), value)),
    );
  });

  it('is copied to equal data that shares nothing', () => {
    fc.assert(
      fc.property(json, fc.boolean(), (value, freeze) => {
        const copied = copyJson(value, { freeze });
        expect(isDeepStrictEqual(copied, value)).toBe(true);
        if (typeof value === 'object' && value !== null) expect(copied).not.toBe(value);
      }),
    );
  });

  it('is copied, or refused as not_json, for any value at all', () => {
    fc.assert(
      fc.property(
        fc.anything({
          withBigInt: true,
          withDate: true,
          withMap: true,
          withSet: true,
          withTypedArray: true,
          withNullPrototype: true,
          withSparseArray: true,
          withBoxedValues: true,
          withUnicodeString: true,
        }),
        (value) => {
          let copied: unknown;
          try {
            copied = copyJson(value, { freeze: true });
          } catch (error) {
            expect(error).toMatchObject({ code: 'not_json' });
            return;
          }
          expect(canonicalJson(JSON.parse(JSON.stringify(copied)))).toBe(canonicalJson(copied));
        },
      ),
    );
  });
});
