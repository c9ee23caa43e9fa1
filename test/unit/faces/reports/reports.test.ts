import { describe, expect, test } from 'vitest';
import { reviewerErrors } from '@/blocks/reviewers/errors.js';
import type { Assessment } from '@/core/assessment.js';
import { ReviewLoopError } from '@/core/errors.js';
import type { Gap } from '@/core/gap.js';
import type { Outcome } from '@/core/outcome.js';
import type { Review } from '@/core/review.js';
import { scoresOf } from '@/core/scores.js';
import { outcomeExitCode } from '@/faces/cli-kit/outcome-exit-code.js';
import { renderReport } from '@/faces/cli-kit/show/render-report.js';
import { renderRun } from '@/faces/cli-kit/show/render-run.js';
import { reportRun } from '@/faces/reports/report-run.js';
import { RunReportSchema } from '@/faces/reports/run-report.js';
import { summaryMarkdown } from '@/faces/reports/summary-markdown.js';
import { headline, verdictOf } from '@/faces/reports/verdict-words.js';
import { paintFor } from '@/node/terminal/colours.js';
import { sanitise } from '@/node/terminal/sanitise.js';
import { gapOf } from '../../engine/policies/fixtures.js';

const gap = (id: string, more: Partial<Gap> = {}): Gap =>
  gapOf({ id, description: `gap ${id}`, suggestedFix: 'fix', criterionId: 'c', ...more });

/** A version is not the digest of its output alone where a workspace has a tree. */
const versionOf = (output: string): string => `${output}, with its tree`;

function review(iteration: number, output: string, more: Partial<Review> = {}): Review {
  const scores = {
    quality: 0.5,
    completeness: 1,
    correctness: 1,
    overall: iteration / 10,
    judged: 1,
    total: 1,
    criteria: { met: 1, judged: 1, total: 1 },
    requirements: { met: 0, judged: 0, total: 0 },
  };
  const base = {
    iteration,
    version: versionOf(output),
    assessments: [],
    gaps: [],
    fixed: [],
    scores,
    decision: { kind: 'approve', reason: 'fine' },
    complete: true,
    usage: {},
    durationMs: 1,
    at: '2026-01-01T00:00:00.000Z',
  } as const;
  return { ...base, ...more };
}

const outcome = (reviews: readonly Review[], output: string | undefined): Outcome<unknown> => ({
  runId: 'r',
  review: reviews.find(({ version }) => output !== undefined && version === versionOf(output)),
  status: 'stalled',
  approved: false,
  code: 'output_unchanged',
  reason: 'stuck',
  reviews,
  usage: { produce: {}, review: {}, address: {} },
  output,
  ...(output !== undefined && { version: versionOf(output) }),
});

const screen = {
  ...{ columns: undefined, paint: paintFor(false) },
  show: (part: string) => `reviewloop runs r${part}`,
};

const about = {
  at: '2026-01-01T00:00:00.000Z',
  durationMs: 5,
  exitCode: 50,
  task: { source: 'TASK.md' },
  criteria: { chosen: ['html'], reason: 'given', names: {} },
  files: [{ path: 'a.html', type: 'mockup', bytes: 1 }],
  notReviewed: [],
  changed: [],
  written: [],
  fixers: new Set(['one']),
};

describe('reports', () => {
  const error = new ReviewLoopError(reviewerErrors.criterion_threw, 'bad threw');
  const reviews = [
    review(1, 'first', { gaps: [gap('one'), gap('two'), gap('three')] }),
    review(2, 'second', {
      gaps: [gap('three', { standing: 'disputed' })],
      fixed: [gap('one'), gap('two')],
      assessments: [
        { verdict: 'errored', criterion: 'bad', error },
        { verdict: 'skipped', criterion: 'late', reason: 'not asked' },
        { verdict: 'pass', criterion: 'good', score: 1, explanation: 'yes', gaps: [] },
      ],
    }),
    review(3, 'third', { gaps: [gap('one'), gap('three')] }),
  ];
  const report = reportRun(outcome(reviews, 'second'), about);

  test('tell of the version that came back', () => {
    expect(report.reviews.map(({ best }) => best)).toEqual([false, true, false]);
    expect(report.gaps.map(({ id }) => id)).toEqual(['three']);
    expect(report.fixed.map(({ by, iteration, gap: { id } }) => [id, by, iteration])).toEqual([
      ['one', 'fixer', 2],
      ['two', 'revision', 2],
    ]);
    expect(report.failures).toEqual([
      { criterion: 'bad', verdict: 'errored', text: error.message, code: 'criterion_threw' },
    ]);
  });

  test('are what their schema says, also as text', () => {
    expect(RunReportSchema.parse(JSON.parse(JSON.stringify(report)))).toEqual(report);
  });

  test('of a run without a version', () => {
    const none = reportRun(outcome([], undefined), about);
    expect(none).toMatchObject({ gaps: [], coverage: [], fixed: [], reviews: [] });
    const next = [{ why: '', command: 'n' }];
    expect(renderReport({ ...none, next }, { ...screen, columns: 80 })).toMatch(
      /^TASK\.md {2}1 file by html\n\nNOT APPROVED\nStuck\.\n\nexit code 50 \(stalled\)\nnext: n\n$/,
    );
  });

  test('as text name disputed gaps and judges that failed', () => {
    const text = renderReport(report, { ...screen, paint: paintFor(true), folder: 'f' });
    expect(text).toMatch(/\n {2}bad {2}no verdict {2}bad threw\. /);
    expect(text).toMatch(/gap three \(disputed\)/);
    expect(text).toContain('NO VERDICT: 1 of 2 judges failed');
    expect(text).toMatch(/\n {2}version 2 .* best\n/);
  });

  test('as Markdown hold no markup of others', () => {
    const nasty = {
      ...report,
      gaps: [
        gap('x', {
          description: 'a | b\n<script>[link](http://x)\u001b[31m',
          location: { file: 'a|b.html', line: 3 },
        }),
      ],
    };
    const page = summaryMarkdown(nasty, sanitise);
    expect(page).toContain(
      '| a\\|b.html:3 | major | c | a \\| b \\<script\\>\\[link\\](http://x) | fix |',
    );
    expect(page).not.toContain('\u001b');
  });

  test('headlines', () => {
    const judged = { ...report, failures: [] };
    const approved = { ...judged, status: 'approved', approved: true, exitCode: 0 };
    expect(headline(approved)).toBe('APPROVED');
    expect(verdictOf(approved).why).toContain('1 gap is disputed.');
    expect(headline({ ...approved, decidedBy: 'Ann' })).toBe('APPROVED BY Ann');
    const [disputed, waived] = [
      gap('d', { standing: 'disputed' }),
      gap('w', { standing: 'waived' }),
    ];
    const acceptance = { kind: 'override', by: 'Ann', reason: 'on Monday' };
    const accepted = { ...judged, status: 'accepted', exitCode: 0, acceptance };
    expect(headline({ ...accepted, gaps: [disputed] })).toBe(
      'APPROVED BY Ann, against the reviewers',
    );
    expect(verdictOf({ ...accepted, gaps: [gap('b')] })).toMatchObject({
      word: 'Approved by Ann, against 1 gap',
      why: 'Reviewers did not approve. Ann did: "on Monday". The gap stays listed.',
    });
    const mixed = verdictOf({ ...judged, gaps: [gap('b'), disputed, waived] });
    expect(mixed.word).toBe('Not approved: 1 major gap');
    expect(mixed.why).toContain('1 gap is disputed, 1 gap is waived.');
    expect(
      headline({ ...judged, gaps: [gap('a', { severity: 'critical' }), gap('b'), gap('c')] }),
    ).toBe('NOT APPROVED: 1 critical gap, 2 major');
  });
});

describe('exit codes', () => {
  test.each([
    ['approved', 0],
    ['accepted', 0],
    ['rejected', 51],
    ['timed_out', 52],
    ['suspended', 53],
    ['failed', 1],
    ['cancelled', 130],
    ['escalated', 50],
    ['exhausted', 50],
    ['stalled', 50],
    ['inconclusive', 50],
  ] as const)('%s: %d', (status, code) => {
    expect(
      outcomeExitCode({ ...outcome([], undefined), status } as Outcome<unknown>, undefined),
    ).toBe(code);
  });

  test('--fail-on asks about the gaps of the version that came back, which need not be the last one', () => {
    const accepted = {
      ...outcome([review(1, 'first', { gaps: [gap('one')] }), review(2, 'second')], 'first'),
      status: 'accepted',
    } as Outcome<unknown>;
    expect(outcomeExitCode(accepted, 'major')).toBe(50);
    expect(outcomeExitCode(accepted, 'critical')).toBe(0);
    expect(
      outcomeExitCode(
        { ...accepted, output: 'second', review: accepted.reviews[1] } as Outcome<unknown>,
        'major',
      ),
    ).toBe(0);
  });
});

describe('what nobody judged', () => {
  const undecided = (text: string, share: number, mandatory = true): Assessment => ({
    verdict: 'undecided',
    criterion: `requirement:${text}`,
    reason: 'no check could decide it; see a.html:2',
    question: text,
    decidableBy: ['model', 'person'],
    mandatory,
    coverage: {
      requirement: text,
      source: 'explicit',
      covered: false,
      state: 'unsure',
      coverageDetails: '',
      confidence: 0,
      evidence: [
        { file: 'a.html', line: 2, quote: 'q', share: share / 2 },
        { file: 'b.html', line: 4, quote: 'q', share, doubt: 'planned' },
      ],
    },
  });
  const shown = (
    assessments: readonly Assessment[],
    more: Partial<Outcome<unknown>> = {},
    gaps: readonly Gap[] = [],
  ) => {
    const judged = review(1, 'first', { assessments, gaps, scores: scoresOf(assessments) });
    const given = { ...outcome([judged], 'first'), status: 'inconclusive', ...more };
    const report = reportRun(given as Outcome<unknown>, about);
    const text = renderReport(report, screen);
    const run = renderRun(report, screen);
    return { report, text, run, page: summaryMarkdown(report, sanitise) };
  };
  const passed = (criterion: string): Assessment => ({
    ...{ verdict: 'pass', score: 1, explanation: '', gaps: [] },
    criterion,
    ...(criterion.startsWith('requirement:') && {
      coverage: {
        ...{ requirement: criterion.slice(12), source: 'explicit', covered: true },
        ...{ coverageDetails: 'found', confidence: 1, decidedBy: 'elements' },
      },
    }),
  });
  const skipped = (count: number): Assessment[] =>
    Array.from({ length: count }, (_, index) => ({
      ...{ verdict: 'skipped', reason: 'no table' },
      criterion: `skipped-${index}`,
    }));

  test('is open with id, text, why and hints, and scores show what they rest on [R2-009]', () => {
    const { report, text, run, page } = shown([
      ...skipped(3),
      passed('a'),
      undecided('The heading is blue', 0.5),
      passed('requirement:It has a form'),
      undecided('Prices are listed', 0.25, false),
    ]);
    expect(text).toMatch(/\nNOT APPROVED YET: 1 question for you\n/);
    expect(run).toContain('quality all passed (1 of 4 checks judged)');
    expect(run).toContain('completeness unknown (1 of 3 requirements decided)');
    expect(run).toContain('overall unknown');
    expect(run).toMatch(/\nverdicts +2 passed, 3 not applicable, 2 undecided\n/);
    expect(run).toContain('requirements (1 satisfied, 2 undecided)\n');
    expect(run).toContain('  ✓ R2   It has a form (elements)\n');
    expect(run).toMatch(/\nopen +R1 must be decided; R3 may stay open\n/);
    expect(text).toContain(
      '  R1  The heading is blue\n' +
        '      b.html:4 (planned) q; also a.html:2; no check could decide it\n' +
        '  R3  may stay open: Prices are listed\n',
    );
    expect(report.coverage.map(({ id, state }) => [id, state])).toEqual([
      ['R1', 'unsure'],
      ['R2', undefined],
      ['R3', 'unsure'],
    ]);
    expect(report.undecided.map(({ id, mandatory }) => [id, mandatory])).toEqual([
      ['R1', undefined],
      ['R3', false],
    ]);
    expect(report.counts).toMatchObject({ passed: 2, skipped: 3, undecided: 2 });
    expect(RunReportSchema.parse(JSON.parse(JSON.stringify(report)))).toEqual(report);
    expect(page).toContain('| R1 | undecided | The heading is blue |');
    expect(page).toContain('## Undecided');
    expect(`${text}${run}${page}`).not.toMatch(/1\.00/);
  });

  test('a set of checks that all skipped says so first [R2-009]', () => {
    const { text, run } = shown(skipped(53), { code: 'nothing_judged' });
    expect(text).toMatch(/\nNO VERDICT: nothing was judged\nAll 53 checks do not apply\.\n/);
    expect(run).toContain('quality unknown (0 of 53 checks judged)');
  });

  test('an empty file is the first reason [R2-002]', () => {
    const empty = gap('e', {
      ...{ criterionId: 'html-empty-content', description: 'a.html is empty' },
      severity: 'critical',
    });
    expect(shown([passed('a')], { code: 'x' }, [empty]).text).toMatch(
      /\nNOT APPROVED: 1 critical gap\nA\.html is empty\./,
    );
  });

  test('without all judges there is no overall score [R2-021]', () => {
    const error = new ReviewLoopError(reviewerErrors.criterion_threw, 'bad threw');
    const { report, text, run } = shown([
      passed('a'),
      { verdict: 'errored', criterion: 'requirement:x', error },
      passed('requirement:y'),
    ]);
    expect([report.scores?.overall, report.scores?.quality]).toEqual([null, 1]);
    expect(report.coverage.map(({ id }) => id)).toEqual(['R2']);
    expect(text).toMatch(/\nNO VERDICT: 1 of 3 judges failed\n/);
    expect(run).toContain('overall unknown');
  });
});

test('gaps stand by file, the file with the worst first, each with its fix', () => {
  const at = (file: string, line: number, more: Partial<Gap> = {}): Gap =>
    gap(`${file}${line}`, { location: { file, line }, ...more });
  const gaps = [
    at('a.html', 1, { severity: 'minor' }),
    at('b.html', 9),
    at('b.html', 3, { severity: 'critical', suggestedFix: 'Close\nit' }),
    at('b.html', 8),
  ];
  const report = reportRun(outcome([review(1, 'first', { gaps })], 'first'), about);
  const text = renderReport(report, screen);
  expect(text.replace(/^ {2}/gm, '')).toContain(
    [
      'b.html:3  critical  c  gap b.html3',
      '    fix: Close it',
      'b.html:8  major     c  gap b.html8',
      'b.html:9  major     c  gap b.html9',
      '    fix: fix',
      'a.html:1  minor     c  gap a.html1',
      '    fix: fix',
    ].join('\n'),
  );
});
