import { describe, expect, it } from 'vitest';
import type { Gap } from '@/core/gap.js';
import { identifyGaps, type ParentReview } from '@/core/gap-identity.js';
import { type AgentOutput, criterion, definePipeline } from '@/index.js';
import { outputOf } from '@/testing/index.js';

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

  const form = ['<html>', '<form>', '<input name=a>', '</form>'];
  const lines = Array.from({ length: 30 }, (_, index) => `line ${index}`);
  it.each<[string, [number, string[]], [number, string[]]]>([
    [
      'through what was put in before it',
      [3, form],
      [7, ['<!doctype html>', ...Array(3).fill('<!-- new -->'), ...form]],
    ],
    [
      'of what stands after a change, however far',
      [27, lines],
      [38, ['line 0', ...Array(12).fill('new'), ...lines.slice(2)]],
    ],
    [
      'through what was taken out before it',
      [23, ['<html>', ...Array(20).fill('<p>'), ...form.slice(1)]],
      [3, form],
    ],
  ])('maps the line %s', (_, [was, old], [is, now]) => {
    const earlier = parent([at(was, { evidence: 'one' })], page(...old));
    const [named] = next([at(is, { evidence: 'two' })], page(...now), earlier);
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

const quoted = (line?: number, evidence?: string, more: Partial<Gap> = {}): Gap =>
  gap({
    ...{ criterionId: 'labels', raisedBy: 'labels' },
    location: { file: 'a.html', ...(line !== undefined && { line }) },
    ...(evidence !== undefined && { evidence }),
    ...more,
  });

/** An output and its gaps. */
type Round = readonly [AgentOutput, readonly Gap[]];

/** A page of these lines, with a gap that quotes each line after a star. */
const round = (...texts: readonly string[]): Round => [
  page(...texts.map((text) => text.replace(/^\*/, ''))),
  texts.flatMap((text, at) => (text.startsWith('*') ? [quoted(at + 1, text.slice(1))] : [])),
];

const reworded = quoted(1, '<input>', { description: 'said otherwise', severity: 'minor' });
const between = 'bcdefghi'.split('');
const contrast = quoted(1, '<p>', { criterionId: 'contrast', raisedBy: 'contrast' });

/** For each later gap, the place of the earlier one whose id it carries; -1 for none. */
const cases: readonly (readonly [string, Round, Round, carries: readonly number[]])[] = [
  ['reworded: other words, same quote', round('*<input>'), [page('<input>'), [reworded]], [0]],
  ['moved down by text above', round('a', '*<input>'), round('new', 'more', 'a', '*<input>'), [0]],
  [
    'moved, and quoted a little differently',
    round('a', '*<input>', 'z'),
    round('n', 'a', '*<input id="x">', 'z'),
    [0],
  ],
  [
    'reformatted: only white space of the quote differs',
    round('*<input  type="text">'),
    round('*<input\n type="text">'),
    [0],
  ],
  [
    'split: one of two keeps the id',
    round('a', '*<p>', 'z'),
    round('a', '*<p>', '*<q>', 'z'),
    [0, -1],
  ],
  [
    'duplicated: the nearer one keeps the id',
    round('*<input>', 'x'),
    round('*<input>', 'x', '*<input>'),
    [0, -1],
  ],
  [
    'twins: the first is fixed, the second keeps its own id',
    round('*<i>', 'x', '*<i>'),
    round('<b>', 'x', '*<i>'),
    [1],
  ],
  ['far away: another gap', round('*a', ...between), round('a', ...between, '*X'), [-1]],
  ['another criterion at the same place', round('*<p>'), [page('<p>'), [contrast]], [-1]],
  [
    'no quote and no line: one for each criterion and artifact',
    [page('x'), [quoted()]],
    [page('y'), [quoted(undefined, undefined, { description: 'other' })]],
    [0],
  ],
];

describe('law 7: identity over rounds', () => {
  it.each(cases)('%s', (_, before, after, carries) => {
    const first = identifyGaps(before[1], before[0], undefined, new Set());
    const ids = new Set(first.map(({ id }) => id));
    const second = identifyGaps(after[1], after[0], { gaps: first, output: before[0] }, ids);
    expect(second.map(({ id }) => first.findIndex((earlier) => earlier.id === id))).toEqual(
      carries,
    );
    expect(new Set(second.map(({ id }) => id)).size).toBe(second.length);
    expect(second.map(({ lifecycle }) => lifecycle)).toEqual(
      carries.map((at) => (at < 0 ? 'new' : 'persisting')),
    );
  });

  it('a gap that is half fixed in three rounds keeps its id', async () => {
    const inputs = (count: number): AgentOutput => page(`<form>${'<input>'.repeat(count)}</form>`);
    const labels = criterion<AgentOutput, string>('labels', (output) => {
      const count = (output.artifacts[0]?.content ?? '').split('<input>').length - 1;
      return {
        passed: count === 0,
        score: 1 - count / 8,
        details: `${count} inputs without a label`,
      };
    });
    let left = 8;
    const outcome = await definePipeline<string, AgentOutput>({
      produce: async () => inputs(left),
      address: async () => {
        left /= 2;
        return inputs(left);
      },
      reviewers: [labels],
      budget: { reviews: 4 },
    }).run('task');
    const ids = outcome.reviews.map(({ gaps }) => gaps[0]?.id);
    expect(outcome.reviews).toHaveLength(4);
    expect(new Set(ids).size).toBe(1);
    expect(outcome.reviews.map(({ gaps }) => gaps[0]?.lifecycle)).toEqual([
      'new',
      'persisting',
      'persisting',
      'persisting',
    ]);
  });
});

const older = page('<p>', '<input>', '</p>');

const newer = page('<!-- new -->', '<p>', '<input>', '</p>');

function twice(
  first: readonly Gap[],
  second: readonly Gap[],
  outputs = [older, newer] as unknown[],
) {
  const gaps = identifyGaps(first, outputs[0], undefined, none);
  const parent = { gaps, output: outputs[0] };
  const ids = gaps.map(({ id }) => id);
  return { ids, named: identifyGaps(second, outputs[1], parent, new Set(ids)) };
}

describe('the identity of a gap without a line', () => {
  it.each<[string, Partial<Gap>]>([
    ['of a whole file', { location: { file: 'a.html' } }],
    ['of no file', {}],
    ['with a quote', { location: { file: 'a.html' }, evidence: '<input>' }],
  ])('is the same in the next review: %s', (_, fields) => {
    const { ids, named } = twice([gap(fields)], [gap({ ...fields, description: 'other words' })]);
    expect(named).toMatchObject([{ id: ids[0], lifecycle: 'persisting' }]);
  });

  it('is the same in an output that is a text', () => {
    const { ids, named } = twice([gap()], [gap()], ['one', 'two']);
    expect(named).toMatchObject([{ id: ids[0], lifecycle: 'persisting' }]);
  });

  it('is another one if its quote is another: no line says that it only changed', () => {
    const file = { location: { file: 'a.html' } };
    const { ids, named } = twice(
      [gap({ ...file, evidence: '<input>' })],
      [gap({ ...file, evidence: '<select>' })],
    );
    expect(named).toMatchObject([{ lifecycle: 'new' }]);
    expect(ids).not.toContain(named[0]?.id);
  });
});

describe('the id of a gap', () => {
  const idOf = (fields: Partial<Gap>): string | undefined =>
    identifyGaps([gap(fields)], older, undefined, none)[0]?.id;

  it.each<[string, Partial<Gap>, Partial<Gap>]>([
    ['two requirements', { affectedRequirement: 'a form' }, { affectedRequirement: 'a title' }],
    ['words and the same letters in one', { evidence: 'log in' }, { evidence: 'login' }],
  ])('tells %s apart', (_, one, other) => {
    expect(idOf(one)).not.toBe(idOf(other));
  });

  it('is the same for a gap that was found before and for long quotes, in any order', () => {
    const long = (end: string): string => `${'x'.repeat(600)}${end}`;
    const quotes = ['a', long('a'), 'b', long('b')];
    const ids = quotes.map((evidence) => idOf({ evidence }));
    expect(new Set(ids).size).toBe(4);
    expect([...quotes].reverse().map((evidence) => idOf({ evidence }))).toEqual([...ids].reverse());
  });
});
