import { describe, expect, it } from 'vitest';
import { reviewCard } from '@/faces/inbox/show-run.js';
import type { ModelFile } from '@/faces/reports/html/report-model.js';
import { madeReport } from '../../../support/report-runs.js';

const report = {
  ...madeReport(),
  task: { source: 'TASK.md', text: '# Bakery\n\n- The form **must** confirm the order.\n' },
  undecided: [
    { criterion: 'requirement:1', id: 'R1', verdict: 'undecided' as const, text: 'no check' },
    { criterion: 'tone', verdict: 'undecided' as const, text: 'eyes', question: 'Is it kind?' },
  ],
  coverage: [
    {
      ...{ id: 'R1', requirement: 'The form must confirm the order', covered: false },
      ...{ source: 'explicit' as const, coverageDetails: '', confidence: 0.5 },
      evidence: [
        { file: 'b.html', line: 9, quote: 'an order', share: 0.2 },
        { file: 'a.html', line: 2, quote: 'confirm', share: 0.8 },
      ],
    },
  ],
};
const files = [{ path: 'a.html', text: 'one\ntwo confirm\nthree\nfour' }];
const of = (all: readonly ModelFile[]) => ({ 'version-4': all });

describe('the card of a review', () => {
  it('asks the requirement, names its place, and shows the best lines first [R3-077]', () => {
    const { title, questions } = reviewCard(report, of(files));
    expect(title).toBe('Bakery');
    expect(questions[0]).toMatchObject({
      criterion: 'requirement:1',
      text: 'The form must confirm the order',
      place: 'TASK.md:3',
      passages: [
        {
          ...{ file: 'a.html', place: 'line 2' },
          lines: [
            { number: 1, text: 'one', look: '' },
            { number: 2, text: 'two confirm', look: 'hit' },
            { number: 3, text: 'three', look: '' },
          ],
        },
        { file: 'b.html', place: 'line 9', lines: [{ number: 9, text: 'an order', look: 'hit' }] },
      ],
    });
  });

  it('shows the begin of the only file where no line is known to matter', () => {
    const [, question] = reviewCard(report, of(files)).questions;
    expect(question).toMatchObject({ text: 'Is it kind?', criterion: 'tone' });
    const [begin] = question?.passages ?? [];
    expect(begin).toMatchObject({ file: 'a.html', place: '' });
    expect(begin?.lines.map(({ text }) => text)).toEqual(['one', 'two confirm', 'three', 'four']);
    const two = [...files, { path: 'c.html', text: null }];
    expect(reviewCard(report, of(two)).questions[1]?.passages).toEqual([]);
  });

  it('counts what is met and open', () => {
    expect(reviewCard(report, {}).said).toMatch(
      /^Version \d+: 0 of 1 requirement met, \d+ open gaps?$/,
    );
  });
});
