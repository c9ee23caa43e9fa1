import { describe, expect, it } from 'vitest';
import { identifyGaps } from '../../../src/core/gap-identity.js';
import { type AgentOutput, criterion, definePipeline, type Gap } from '../../../src/index.js';

const page = (content: string): AgentOutput => ({
  artifacts: [{ type: 'mockup', path: 'a.html', content }],
});
const lines = (...texts: readonly string[]): AgentOutput => page(texts.join('\n'));
const gap = (
  line: number | undefined,
  evidence: string | undefined,
  more: Partial<Gap> = {},
): Gap => ({
  id: '',
  severity: 'major',
  category: 'quality',
  description: 'words of the model',
  suggestedFix: '',
  estimatedEffort: 'small',
  autoFixable: true,
  criterionId: 'labels',
  raisedBy: 'labels',
  location: { file: 'a.html', ...(line !== undefined && { line }) },
  ...(evidence !== undefined && { evidence }),
  ...more,
});

interface Case {
  readonly name: string;
  readonly before: readonly [AgentOutput, readonly Gap[]];
  readonly after: readonly [AgentOutput, readonly Gap[]];
  /** For each later gap, the place of the earlier one whose id it carries; -1 for none. */
  readonly carries: readonly number[];
}

const cases: readonly Case[] = [
  {
    name: 'reworded: other words, same quote',
    before: [page('<input>'), [gap(1, '<input>')]],
    after: [
      page('<input>'),
      [gap(1, '<input>', { description: 'said otherwise', severity: 'minor' })],
    ],
    carries: [0],
  },
  {
    name: 'moved down by text above it',
    before: [lines('a', '<input>'), [gap(2, '<input>')]],
    after: [lines('new', 'more', 'a', '<input>'), [gap(4, '<input>')]],
    carries: [0],
  },
  {
    name: 'moved, and quoted a little differently',
    before: [lines('a', '<input>', 'z'), [gap(2, '<input>')]],
    after: [lines('n', 'a', '<input id="x">', 'z'), [gap(3, '<input id="x">')]],
    carries: [0],
  },
  {
    name: 'reformatted: only white space of the quote differs',
    before: [page('<input  type="text">'), [gap(1, '<input  type="text">')]],
    after: [lines('<input', ' type="text">'), [gap(1, '<input\n type="text">')]],
    carries: [0],
  },
  {
    name: 'split: one of two keeps the id',
    before: [lines('a', '<p>', 'z'), [gap(2, '<p>')]],
    after: [lines('a', '<p>', '<q>', 'z'), [gap(2, '<p>'), gap(3, '<q>')]],
    carries: [0, -1],
  },
  {
    name: 'duplicated: the nearer one keeps the id',
    before: [lines('<input>', 'x'), [gap(1, '<input>')]],
    after: [lines('<input>', 'x', '<input>'), [gap(1, '<input>'), gap(3, '<input>')]],
    carries: [0, -1],
  },
  {
    name: 'twins: the first is fixed, the second keeps its own id',
    before: [lines('<i>', 'x', '<i>'), [gap(1, '<i>'), gap(3, '<i>')]],
    after: [lines('<b>', 'x', '<i>'), [gap(3, '<i>')]],
    carries: [1],
  },
  {
    name: 'far away with other words: another gap',
    before: [lines(...'abcdefghij'.split('')), [gap(1, 'a')]],
    after: [lines(...'abcdefghiX'.split('')), [gap(10, 'X')]],
    carries: [-1],
  },
  {
    name: 'another criterion at the same place: another gap',
    before: [page('<p>'), [gap(1, '<p>')]],
    after: [page('<p>'), [gap(1, '<p>', { criterionId: 'contrast', raisedBy: 'contrast' })]],
    carries: [-1],
  },
  {
    name: 'no quote and no line: one for each criterion and artifact',
    before: [page('x'), [gap(undefined, undefined)]],
    after: [page('y'), [gap(undefined, undefined, { description: 'other' })]],
    carries: [0],
  },
];

describe('law 7: identity over rounds', () => {
  it.each(cases)('$name', ({ before, after, carries }) => {
    const first = identifyGaps(before[1], before[0], undefined, new Set());
    const second = identifyGaps(
      after[1],
      after[0],
      { gaps: first, output: before[0] },
      new Set(first.map(({ id }) => id)),
    );
    expect(second.map(({ id }) => first.findIndex((earlier) => earlier.id === id))).toEqual(
      carries,
    );
    expect(new Set(second.map(({ id }) => id)).size).toBe(second.length);
    expect(second.map(({ lifecycle }) => lifecycle)).toEqual(
      carries.map((at) => (at < 0 ? 'new' : 'persisting')),
    );
  });

  it('a gap that is half fixed in three rounds keeps its id', async () => {
    const inputs = (count: number): AgentOutput =>
      lines('<form>', ...Array.from({ length: count }, () => '<input>'), '</form>');
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
