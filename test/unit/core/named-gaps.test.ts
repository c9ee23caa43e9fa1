import { describe, expect, it } from 'vitest';
import { type Gap, gap } from '@/core/gap.js';
import { identifyGaps } from '@/core/gap-identity.js';
import { keyOf, namedGaps } from '@/core/named-gaps.js';

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
