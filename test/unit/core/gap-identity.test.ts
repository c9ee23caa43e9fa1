import { describe, expect, it } from 'vitest';
import type { Gap } from '../../../src/core/gap.js';
import { identifyGaps, type ParentReview } from '../../../src/core/gap-identity.js';
import { outputOf } from '../../../src/testing/index.js';

function gap(fields: Partial<Gap> = {}): Gap {
  return {
    id: '',
    severity: 'major',
    category: 'quality',
    description: 'input has no label',
    suggestedFix: 'add one',
    estimatedEffort: 'small',
    autoFixable: true,
    criterionId: 'label',
    ...fields,
  };
}

function at(line: number, fields: Partial<Gap> = {}): Gap {
  return gap({ affectedArtifact: 'a.html', location: { file: 'a.html', line }, ...fields });
}

const page = (...lines: string[]): ReturnType<typeof outputOf> =>
  outputOf({ 'a.html': lines.join('\n') });
const none: ReadonlySet<string> = new Set();

function first(found: readonly Gap[], output: unknown = page('')): Gap[] {
  return identifyGaps(found, output, undefined, none);
}

function next(
  found: readonly Gap[],
  output: unknown,
  parent: ParentReview,
  earlier: readonly string[] = [],
): Gap[] {
  return identifyGaps(
    found,
    output,
    parent,
    new Set([...parent.gaps.map(({ id }) => id), ...earlier]),
  );
}

describe('identifyGaps: at first sight', () => {
  it('gives an id that is the same in every process, and `new`', () => {
    const [named] = first([at(3, { evidence: '<input>' })]);
    expect(named).toMatchObject({
      id: expect.stringMatching(/^gap-[0-9a-f]{16}$/),
      lifecycle: 'new',
    });
    expect(first([at(3, { evidence: '<input>' })])[0]?.id).toBe(named?.id);
  });

  it.each<[string, Partial<Gap>]>([
    [
      'the prose',
      {
        description: 'This field lacks a label',
        suggestedFix: 'label it',
        estimatedEffort: 'large',
      },
    ],
    ['the line', { location: { file: 'a.html', line: 77, endLine: 80 } }],
    ['white space in the quote', { evidence: ' <input\n   type="text"> ' }],
    ['severity and category', { severity: 'critical', category: 'incorrect' }],
    ['the id that the reviewer gave', { id: 'random-7' }],
    ['lifecycle and standing', { lifecycle: 'fixed', standing: 'confirmed' }],
  ])('its id does not depend on %s', (_, other) => {
    const given = at(3, { evidence: '<input type="text">' });
    expect(first([{ ...given, ...other }])[0]?.id).toBe(first([given])[0]?.id);
  });

  it.each<[string, Partial<Gap>]>([
    ['criterion', { criterionId: 'lang' }],
    ['requirement', { affectedRequirement: 'has a form' }],
    ['artifact', { affectedArtifact: 'b.html' }],
    ['cited span', { evidence: '<select>' }],
  ])('its id depends on the %s', (_, other) => {
    const given = at(3, { evidence: '<input>' });
    expect(first([{ ...given, ...other }])[0]?.id).not.toBe(first([given])[0]?.id);
  });

  it('gives equal findings ids of their own', () => {
    const ids = first([
      at(3, { evidence: '<input>' }),
      at(9, { evidence: '<input>' }),
      at(12, { evidence: '<input>' }),
    ]).map(({ id }) => id);
    expect(new Set(ids).size).toBe(3);
  });

  it('never confuses members that together read the same', () => {
    expect(first([gap({ criterionId: 'a', affectedArtifact: 'bc' })])[0]?.id).not.toBe(
      first([gap({ criterionId: 'ab', affectedArtifact: 'c' })])[0]?.id,
    );
  });

  it('leaves the gaps it was given as they are', () => {
    const given = Object.freeze(at(3));
    first([given]);
    expect(given.id).toBe('');
  });

  it('takes long quotes', () => {
    const long = at(1, { evidence: 'x'.repeat(10_000) });
    expect(first([long])[0]?.id).toBe(first([long])[0]?.id);
  });
});

describe('identifyGaps: in later rounds', () => {
  const before = page('<html>', '<form>', '<input name="a">', '</form>');
  const parent = (gaps: readonly Gap[], output: unknown = before): ParentReview => ({
    gaps: first(gaps, output),
    output,
  });

  it('carries a gap over by its quote, wherever it moved', () => {
    const earlier = parent([at(3, { evidence: '<input name="a">' })]);
    const after = page('<html>', ...Array(50).fill('<p>'), '<form>', '<input name="a">', '</form>');
    const [named] = next([at(53, { evidence: '<input   name="a">' })], after, earlier);
    expect(named).toMatchObject({ id: earlier.gaps[0]?.id, lifecycle: 'persisting' });
  });

  it('carries a gap whose quote changed over by its line', () => {
    const earlier = parent([at(3, { evidence: '<input name="a">' })]);
    const after = page('<html>', '<form>', '<input name="a" id="x">', '</form>');
    const [named] = next(
      [at(3, { evidence: '<input name="a" id="x">', description: 'other words' })],
      after,
      earlier,
    );
    expect(named).toMatchObject({ id: earlier.gaps[0]?.id, lifecycle: 'persisting' });
  });

  it('maps the line through what was put in before it', () => {
    const earlier = parent([at(3, { evidence: '<input name="a">' })]);
    const after = page(
      '<!doctype html>',
      '<!-- new -->',
      '<!-- new -->',
      '<!-- new -->',
      '<html>',
      '<form>',
      '<input name=a>',
      '</form>',
    );
    const [named] = next([at(7, { evidence: '<input name=a>' })], after, earlier);
    expect(named?.id).toBe(earlier.gaps[0]?.id);
  });

  it('maps the line of what stands after a change, however far', () => {
    const lines = Array.from({ length: 30 }, (_, index) => `line ${index}`);
    const earlier = parent([at(27, { evidence: 'one' })], page(...lines));
    const [named] = next(
      [at(38, { evidence: 'two' })],
      page('line 0', ...Array.from({ length: 12 }, () => 'new'), ...lines.slice(2)),
      earlier,
    );
    expect(named?.id).toBe(earlier.gaps[0]?.id);
  });

  it('maps the line through what was taken out before it', () => {
    const lines = ['<html>', ...Array(20).fill('<p>'), '<form>', '<input>', '</form>'];
    const earlier = parent([at(23, { evidence: 'one' })], page(...lines));
    const [named] = next(
      [at(3, { evidence: 'two' })],
      page('<html>', '<form>', '<input>', '</form>'),
      earlier,
    );
    expect(named?.id).toBe(earlier.gaps[0]?.id);
  });

  it('takes a finding far away, in another file, or of another criterion for a new one', () => {
    const earlier = parent([at(3, { evidence: 'one' })]);
    const found = [
      at(40, { evidence: 'two' }),
      at(3, { evidence: 'three', criterionId: 'lang' }),
      at(3, {
        evidence: 'four',
        affectedArtifact: 'b.html',
        location: { file: 'b.html', line: 3 },
      }),
    ];
    for (const named of next(found, before, earlier)) {
      expect(named.id).not.toBe(earlier.gaps[0]?.id);
      expect(named.lifecycle).toBe('new');
    }
  });

  it('gives a forerunner to one finding only, and never one id to two', () => {
    const earlier = parent([at(3, { evidence: 'one' })]);
    const named = next([at(3, { evidence: 'two' }), at(4, { evidence: 'three' })], before, earlier);
    expect(named.map(({ lifecycle }) => lifecycle)).toEqual(['persisting', 'new']);
    expect(new Set(named.map(({ id }) => id)).size).toBe(2);
  });

  it('takes the nearest of several forerunners', () => {
    const earlier = parent([at(1, { evidence: 'one' }), at(3, { evidence: 'two' })]);
    const [named] = next([at(3, { evidence: 'new words' })], before, earlier);
    expect(named?.id).toBe(earlier.gaps[1]?.id);
  });

  it('tells a gap that comes back from a new one', () => {
    const [old] = first([at(3, { evidence: 'one' })]);
    const named = identifyGaps(
      [at(3, { evidence: 'one' }), at(9, { evidence: 'two' })],
      before,
      { gaps: [], output: before },
      new Set([old?.id ?? '']),
    );
    expect(named.map(({ lifecycle }) => lifecycle)).toEqual(['regressed', 'new']);
  });

  it('keeps an id that was carried over by line in the rounds after', () => {
    const earlier = parent([at(3, { evidence: '<input name="a">' })]);
    const second = page('<html>', '<form>', '<input name="b">', '</form>');
    const carried = next([at(3, { evidence: '<input name="b">' })], second, earlier);
    const third = page('<html>', '<form>', '<input name="c">', '</form>');
    const [named] = next([at(3, { evidence: '<input name="c">' })], third, {
      gaps: carried,
      output: second,
    });
    expect(named).toMatchObject({ id: earlier.gaps[0]?.id, lifecycle: 'persisting' });
  });

  it('reads outputs that have no artifacts', () => {
    const earlier = parent([gap({ location: { file: 'x', line: 1 }, evidence: 'one' })], {
      plain: true,
    });
    expect(
      next(
        [gap({ location: { file: 'x', line: 1 }, evidence: 'two' })],
        { plain: false },
        earlier,
      )[0]?.id,
    ).toBe(earlier.gaps[0]?.id);
    expect(next([gap({ evidence: 'three' })], 7, earlier)[0]?.lifecycle).toBe('new');
  });
});
