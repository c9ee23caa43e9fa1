import { describe, expect, it } from 'vitest';
import type { Gap } from '@/core/gap.js';
import { modelRun } from '@/faces/reports/html/model-run.js';
import type { JudgeReport, RunReport } from '@/faces/reports/run-report.js';
import { madeReport } from '../../../../support/report-runs.js';

const shown = (report: RunReport) => modelRun(report, { versions: {}, calibrations: [] });

/** A gap of the made report with another id and other members. */
function gapLike(id: string, more: Partial<Gap>): Gap {
  const [first] = madeReport().gaps;
  if (first === undefined) throw new Error('no gap');
  return { ...first, id, ...more };
}

const checked = (id: string, more: Partial<JudgeReport> = {}): JudgeReport => ({
  ...{ id, tier: 'code', passed: 3, failed: 0, undecided: 0, skipped: 0, errored: 0 },
  ...{ durationMs: 420, errors: [] },
  ...more,
});

describe('a run as its page shows it', () => {
  it('says which version came back and why it is the best, with the numbers of the others [R3-075]', () => {
    const { back } = shown(madeReport());
    expect(back.word).toBe('Version 4, the last of 4');
    expect(back.why).toBe(
      'It is the best: 3 gaps; version 1 has 12 gaps, version 2 has 9 gaps, version 3 has 6 gaps.',
    );
    const reviews = madeReport().reviews.map((one, index) => ({ ...one, best: index === 1 }));
    expect(shown({ ...madeReport(), reviews }).back.word).toBe('Version 2 of 4');
    expect(shown(madeReport()).needs).toMatch(
      /only if .* decided. Approval needs quality 0.80 or more/,
    );
    expect(shown(madeReport({ versions: 1 })).back.word).toBe('Version 1, the only one');
  });

  it('counts gaps and questions in what is open, and keeps every way on [R3-076]', () => {
    const next = ['a', 'b', 'c', 'd'].map((command) => ({ why: `does ${command}`, command }));
    const { open, next: ways, questions } = shown({ ...madeReport(), next });
    expect(open).toEqual({ word: '3 gaps in 1 file', why: '3 in site/index.html, 1 question.' });
    expect(shown(madeReport({ gaps: 0 })).open).toEqual({
      word: 'R2, a must-have',
      why: '1 question, 0 gaps.',
    });
    const failed = { ...madeReport({ gaps: 0 }), undecided: [] };
    expect(shown(failed).open.word).toBe('0 gaps, 1 failed judge, 1 file not reviewed');
    expect(ways.map(({ why }) => why)).toEqual(['Does a', 'Does b', 'Does c', 'Does d']);
    expect(questions.map(({ tag }) => tag)).toEqual(['judge failed', 'must', 'not reviewed']);
  });

  it('keeps the end of a gap until it comes back', () => {
    const [first, second, third] = madeReport().reviews;
    if (first === undefined || second === undefined || third === undefined) throw new Error('none');
    const gap = gapLike('a', {});
    const gone = { ...gap, lifecycle: 'gone' as const };
    const reviews = [
      { ...first, gaps: [gap], fixed: [] },
      { ...second, gaps: [], fixed: [], closed: [gone] },
      { ...third, gaps: [], fixed: [], best: true },
    ];
    const run = shown({ ...madeReport(), gaps: [], reviews });
    expect(run.gaps.map(({ life }) => life)).toEqual([
      ['found', 'no longer there', 'no longer there'],
    ]);
  });

  it('shows beside a question what was taken out, not where it stood', () => {
    const made = madeReport({ gaps: 0, versions: 2 });
    const [first, second] = made.reviews;
    const [{ requirement = '' } = {}] = made.coverage.filter(({ id }) => id === 'R2');
    if (first === undefined || second === undefined) throw new Error('none');
    const location = { file: 'a.html', line: 2 };
    const gap = gapLike('a', { affectedRequirement: requirement, location });
    const gone = { ...gap, lifecycle: 'gone' as const };
    const report = {
      ...made,
      coverage: made.coverage.map((one) => ({ ...one, evidence: [] })),
      reviews: [
        { ...first, gaps: [gap], fixed: [] },
        { ...second, gaps: [], fixed: [], closed: [gone] },
      ],
    };
    const passagesIn = (after: string) => {
      const versions = {
        [first.version]: [{ path: 'a.html', text: 'one\n<img>\nthree' }],
        [second.version]: [{ path: 'a.html', text: after }],
      };
      const { questions } = modelRun(report, { versions, calibrations: [] });
      return questions.find(({ tag }) => tag === 'must')?.passages;
    };
    expect(passagesIn('one\n<p>A loaf.</p>\nthree')).toEqual([
      {
        ...{ file: 'a.html', place: 'version 1 to 2' },
        lines: [
          { number: 2, text: '<img>', look: 'del' },
          { number: 2, text: '<p>A loaf.</p>', look: 'add' },
        ],
      },
    ]);
    expect(passagesIn('one\n<img>\nmore')).toEqual([]);
  });

  const titles: readonly (readonly [string, string, string])[] = [
    ['its heading', '# Bakery website\n\n- It must open', 'Bakery website'],
    ['its first line', 'Build a page.\nIt must open.', 'Build a page.'],
    ['its file', '', 'TASK.md'],
  ];
  it.each(titles)('is called by %s [R3-080]', (_, text, title) => {
    expect(shown({ ...madeReport(), task: { source: 'TASK.md', text } }).title).toBe(title);
  });

  it('shows judges with a finding, a failure or a cost, and no time of parallel checks [R3-081]', () => {
    const asked = { tier: 'model', usage: { totalTokens: 2970 }, durationMs: 9600 };
    const judges = [checked('idle'), checked('gap', { failed: 2 }), checked('ask', asked)];
    const { rows, others, said } = shown({ ...madeReport(), judges }).judges;
    expect(rows.map(({ id, cost }) => [id, cost])).toEqual([
      ['gap', ''],
      ['ask', '2,970 tokens, price unknown, 9.6 s'],
    ]);
    expect(others).toEqual(['idle']);
    expect(said).toBe('3 judges: 1 found something, 0 had nothing to judge, none failed.');
  });

  it('draws requirements as signs, and tells two gaps of one line apart [R3-082]', () => {
    const twins = ['<input name="name">', '<input name="email">'].map((evidence, index) =>
      gapLike(`twin-${index}`, { description: 'input has no label', evidence }),
    );
    const report = madeReport({ versions: 1 });
    const reviews = report.reviews.map((review) => ({ ...review, gaps: twins }));
    const run = shown({ ...report, gaps: twins, reviews });
    expect(run.requirements.map(({ cells, state }) => [cells, state])).toEqual([
      ['✓', 'met'],
      ['?', 'undecided'],
    ]);
    expect(run.gaps.map(({ text }) => text)).toEqual([
      'Input has no label: <input name="name">',
      'Input has no label: <input name="email">',
    ]);
    expect(JSON.stringify(run)).not.toContain('23 of');
  });
});
