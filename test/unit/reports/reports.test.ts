import { describe, expect, test } from 'vitest';
import { exitCodeOfError } from '../../../src/cli-kit/exit-codes.js';
import { outcomeExitCode } from '../../../src/cli-kit/outcome-exit-code.js';
import { headline, renderReport } from '../../../src/cli-kit/show/render-report.js';
import { ReviewLoopError } from '../../../src/core/errors.js';
import type { Gap } from '../../../src/core/gap.js';
import type { Outcome } from '../../../src/core/outcome.js';
import type { Review } from '../../../src/core/review.js';
import { nodeErrors } from '../../../src/node/errors.js';
import { reportRun } from '../../../src/reports/report-run.js';
import { RunReportSchema } from '../../../src/reports/run-report.js';
import { summaryMarkdown } from '../../../src/reports/summary-markdown.js';
import { paintFor } from '../../../src/terminal/paint.js';
import { sanitise } from '../../../src/terminal/sanitise.js';

const gap = (id: string, more: Partial<Gap> = {}): Gap => ({
  id,
  severity: 'major',
  category: 'quality',
  description: `gap ${id}`,
  suggestedFix: 'fix',
  estimatedEffort: 'small',
  autoFixable: true,
  criterionId: 'c',
  ...more,
});

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
  const error = new ReviewLoopError('criterion_threw', 'bad threw');
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
    expect(
      renderReport(none, { columns: 80, paint: paintFor(false), folder: undefined, next: 'n' }),
    ).toMatch(/NOT APPROVED \(stalled\): no gaps\nwhy: stuck\nnext: n\n$/);
  });

  test('as text name disputed gaps and judges that failed', () => {
    const text = renderReport(report, {
      columns: undefined,
      paint: paintFor(true),
      folder: 'f',
      next: 'n',
    });
    expect(text).toMatch(/without a verdict:\n {2}bad {2}bad threw/);
    expect(text).toMatch(/gap three \(disputed\)/);
    expect(text).toContain('NOT APPROVED (stalled): no open gaps, 1 disputed, best of 3 versions');
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
    expect(headline({ ...report, status: 'approved', approved: true, exitCode: 0 })).toBe(
      'APPROVED: no open gaps, 1 disputed',
    );
    expect(headline({ ...report, gaps: [], status: 'approved', approved: true, exitCode: 0 })).toBe(
      'APPROVED: no gaps',
    );
    const [disputed, waived] = [
      gap('d', { standing: 'disputed' }),
      gap('w', { standing: 'waived' }),
    ];
    expect(headline({ ...report, gaps: [disputed], status: 'accepted', exitCode: 0 })).toBe(
      'ACCEPTED, not approved by reviewers: no open gaps, 1 disputed',
    );
    expect(headline({ ...report, gaps: [gap('b'), disputed, waived] })).toContain(
      ': 1 major gap, 1 disputed, 1 waived',
    );
    expect(headline({ ...report, status: 'accepted', exitCode: 0 })).toMatch(
      /^ACCEPTED, not approved by reviewers/,
    );
    expect(
      headline({ ...report, gaps: [gap('a', { severity: 'critical' }), gap('b'), gap('c')] }),
    ).toBe('NOT APPROVED (stalled): 1 critical, 2 major gaps, best of 3 versions');
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

  test('of errors', () => {
    expect(
      [
        new ReviewLoopError(nodeErrors.usage, ''),
        new ReviewLoopError('cancelled', ''),
        new ReviewLoopError(nodeErrors.output_unwritable, ''),
        new Error('x'),
      ].map(exitCodeOfError),
    ).toEqual([2, 130, 1, 1]);
  });
});
