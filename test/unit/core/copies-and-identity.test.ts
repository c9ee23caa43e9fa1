import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { ReviewLoopError } from '../../../src/core/errors.js';
import { type Gap, gap } from '../../../src/core/gap.js';
import { identifyGaps } from '../../../src/core/gap-identity.js';
import { canonicalJson, copyJson, digestOf, isPlainObject } from '../../../src/core/json.js';
import { loadPeer, peerMissing } from '../../../src/core/load-peer.js';
import { mapBounded } from '../../../src/core/map-bounded.js';
import { keyOf, namedGaps } from '../../../src/core/named-gaps.js';

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

describe('names of gaps', () => {
  const of = (changes: Partial<Gap>): Gap => ({ ...gap('d'), criterionId: 'c', ...changes });

  it('come from the criterion, the requirement, the artifact and the quote', () => {
    const keys = [
      of({}),
      of({ criterionId: 'other' }),
      of({ affectedRequirement: 'r' }),
      of({ affectedArtifact: 'a' }),
      of({ evidence: 'e' }),
    ].map(keyOf);
    expect(new Set(keys).size).toBe(5);
    expect(keyOf(of({ criterionId: undefined, raisedBy: 'c' }))).toBe(keyOf(of({})));
    expect(keyOf(of({ criterionId: undefined }))).not.toBe(keyOf(of({})));
    expect(keyOf(of({ location: { file: 'a' } }))).toBe(keyOf(of({ affectedArtifact: 'a' })));
    expect(keyOf(of({ evidence: ' two \n words ' }))).toBe(keyOf(of({ evidence: 'two words' })));
    expect(keyOf(of({ description: 'other', severity: 'minor' }))).toBe(keyOf(of({})));
  });

  it('are the same in each run, and differ where gaps are alike', () => {
    const named = namedGaps([of({}), of({}), of({}), of({ evidence: 'e' })], { seen: new Set() });
    expect(new Set(named.map(({ id }) => id)).size).toBe(4);
    expect(named.every(({ id }) => /^gap-[0-9a-f]{16}$/.test(id))).toBe(true);
    expect(namedGaps([of({}), of({})], { seen: new Set() })).toEqual(named.slice(0, 2));
    const long = of({ evidence: 'x'.repeat(600) });
    expect(namedGaps([long], { seen: new Set() })).toEqual(namedGaps([long], { seen: new Set() }));
  });

  it('say whether a gap is new, stayed or came back', () => {
    const [first] = namedGaps([of({})], { seen: new Set() });
    expect(first?.lifecycle).toBe('new');
    const seen = new Set([first?.id ?? '']);
    expect(namedGaps([of({})], { seen })[0]?.lifecycle).toBe('regressed');
    expect(namedGaps([of({})], { seen, earlier: seen })[0]?.lifecycle).toBe('persisting');
  });

  it('that are carried over are not given twice', () => {
    const [own] = namedGaps([of({})], { seen: new Set() });
    const ids = new Map([[1, own?.id ?? '']]);
    const named = namedGaps([of({}), of({ evidence: 'e' })], { ids, seen: new Set() });
    expect(named[1]?.id).toBe(own?.id);
    expect(named[0]?.id).not.toBe(own?.id);
  });
});

describe('a gap in the next version', () => {
  const at = (line: number | undefined, changes: Partial<Gap> = {}): Gap => ({
    ...gap('d'),
    criterionId: 'c',
    evidence: `line ${line}`,
    location: { file: 'a', line },
    ...changes,
  });
  const lines = (...texts: readonly (string | number)[]) => ({
    artifacts: [
      { path: 'b', type: 't', content: 'other' },
      { path: 'a', type: 't', content: texts.join('\n') },
    ],
  });
  const ids = (
    found: readonly Gap[],
    before: readonly Gap[],
    outputs: readonly [unknown, unknown],
  ) => {
    const parents = before.map((old, index) => ({ ...old, id: `old-${index}` }));
    return identifyGaps(found, outputs[1], { gaps: parents, output: outputs[0] }, new Set()).map(
      ({ id }) => (id.startsWith('old-') ? id : 'new'),
    );
  };
  const ten = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
  const same = [lines(...ten), lines(...ten)] as const;

  it('is the old one where its words are the same, wherever it stands', () => {
    const moved = at(9, { evidence: 'line 1' });
    expect(ids([moved], [at(1)], same)).toEqual(['old-0']);
  });

  it('is the old one within two lines of its place, and another one below', () => {
    const changed = (line: number) => at(line, { evidence: 'changed' });
    expect([3, 4, 5, 6, 7, 8].map((line) => ids([changed(line)], [at(5)], same)[0])).toEqual([
      'old-0',
      'old-0',
      'old-0',
      'old-0',
      'old-0',
      'new',
    ]);
    expect(ids([changed(2)], [at(5)], same)).toEqual(['new']);
  });

  it('is the nearest of several, each of them once', () => {
    const changed = (line: number) => at(line, { evidence: `changed ${line}` });
    expect(ids([changed(5), changed(6)], [at(6), at(5)], same)).toEqual(['old-1', 'old-0']);
    expect(ids([changed(5), changed(6)], [at(5)], same)).toEqual(['old-0', 'new']);
  });

  it('moves with the lines that were added or removed above it', () => {
    const changed = (line: number) => at(line, { evidence: 'changed' });
    const added = [lines(...ten), lines('x', 'y', 'z', 'u', ...ten)] as const;
    expect(ids([changed(12)], [at(8)], added)).toEqual(['old-0']);
    expect(ids([changed(8)], [at(8)], added)).toEqual(['new']);
    const removed = [lines('x', 'y', 'z', 'u', ...ten), lines(...ten)] as const;
    expect(ids([changed(8)], [at(12)], removed)).toEqual(['old-0']);
    const below = [lines(...ten), lines(...ten, 'x', 'y', 'z', 'u')] as const;
    expect(ids([changed(2)], [at(2)], below)).toEqual(['old-0']);
    const within = [
      lines(1, 2, 'a', 'b', 3, 4),
      lines(1, 2, ...'ABCDEFGHIJKL'.split(''), 3, 4),
    ] as const;
    expect(ids([changed(14)], [at(4)], within)).toEqual(['old-0']);
    expect(ids([changed(8)], [at(3)], within)).toEqual(['old-0']);
    expect(ids([changed(18)], [at(5)], within)).toEqual(['new']);
    expect(ids([changed(15)], [at(5)], within)).toEqual(['old-0']);
  });

  it('needs the same criterion and file, and a line', () => {
    const changed = (changes: Partial<Gap>) => at(5, { evidence: 'changed', ...changes });
    expect(ids([changed({ criterionId: 'other' })], [at(5)], same)).toEqual(['new']);
    expect(ids([changed({ location: { file: 'b', line: 5 } })], [at(5)], same)).toEqual(['new']);
    expect(ids([changed({ location: { file: 'a' } })], [at(5)], same)).toEqual(['new']);
    expect(ids([changed({ location: undefined })], [at(undefined)], same)).toEqual(['new']);
    expect(ids([changed({})], [at(undefined)], same)).toEqual(['new']);
  });

  it('without a place is known by its words', () => {
    const bare = at(undefined, { location: undefined, evidence: 'words' });
    expect(ids([bare], [bare], same)).toEqual(['old-0']);
    expect(ids([bare, bare], [bare], same)).toEqual(['old-0', 'new']);
    expect(ids([bare], [at(3, { evidence: 'words' }), bare], same)).toHaveLength(1);
  });

  it('in a text is found by the lines of the text', () => {
    const changed = at(12, { evidence: 'changed' });
    const [before, after] = [ten.join('\n'), ['x', 'y', 'z', 'u', ...ten].join('\n')];
    expect(ids([changed], [at(8)], [before, after])).toEqual(['old-0']);
  });

  it('is not looked for among more than 300 that are alike', () => {
    const alike = (count: number) =>
      Array.from({ length: count }, () => at(5, { evidence: 'same' }));
    expect(ids([at(5, { evidence: 'same' })], alike(300), same)).toEqual(['old-0']);
    expect(ids([at(5, { evidence: 'same' })], alike(301), same)).toEqual(['new']);
  });

  it('is new where the parent has none, or there is no parent', () => {
    expect(identifyGaps([at(1)], 'o', undefined, new Set())[0]?.lifecycle).toBe('new');
    expect(identifyGaps([at(1)], 'o', { gaps: [], output: 'o' }, new Set())[0]?.lifecycle).toBe(
      'new',
    );
  });
});

describe('other helpers', () => {
  it('an optional package that is missing is named with the way to install it', async () => {
    const missing = Object.assign(new Error('no'), { code: 'ERR_MODULE_NOT_FOUND' });
    const peer = { feature: 'pages', packages: ['a', 'b'], otherwise: 'use c' };
    await expect(loadPeer(peer, () => Promise.reject(missing))).rejects.toMatchObject({
      code: 'peer_missing',
      cause: missing,
      value: 'a b',
      message: expect.stringMatching(/^pages .*packages a and b.*npm install a b.*use c/),
    });
    expect(peerMissing(peer, missing, missing).cause).toBeInstanceOf(AggregateError);
  });

  it('mapBounded begins nothing after a failure', async () => {
    const begun: number[] = [];
    await expect(
      mapBounded([1, 2, 3], 1, async (item) => {
        begun.push(item);
        throw new Error(`no ${item}`);
      }),
    ).rejects.toThrow('no 1');
    expect(begun).toEqual([1]);
  });
});
