import { describe, expect, it } from 'vitest';
import type { Gap } from '../../../src/core/gap.js';
import { identifyGaps } from '../../../src/core/gap-identity.js';
import { outputOf } from '../../../src/testing/index.js';

const none: ReadonlySet<string> = new Set();
const before = outputOf({ 'a.html': '<p>\n<input>\n</p>' });
const after = outputOf({ 'a.html': '<!-- new -->\n<p>\n<input>\n</p>' });

function gap(fields: Partial<Gap> = {}): Gap {
  return {
    id: '',
    severity: 'major',
    category: 'quality',
    description: 'no label',
    suggestedFix: 'add one',
    estimatedEffort: 'small',
    autoFixable: true,
    criterionId: 'label',
    ...fields,
  };
}

/** Returns the gaps of a second review with the ids of the first. */
function twice(
  first: readonly Gap[],
  second: readonly Gap[],
  outputs = [before, after] as unknown[],
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
    identifyGaps([gap(fields)], before, undefined, none)[0]?.id;

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
