import type { RunReport } from '@/faces/reports/run-report.js';
import { madeReport } from './report-runs.js';

const next = [
  { why: 'yes or no, as you judge it', command: 'reviewloop answer run-1 R2=yes' },
  { why: 'in your name', command: 'reviewloop override run-1 --reason "..."' },
];
const text = '# Tea house\n\n- The page must show prices.\n';
/** A run without some verdicts in its reviews. */
function without(report: RunReport, ...left: readonly string[]): RunReport {
  const reviews = report.reviews.map((review) => ({
    ...review,
    assessments: review.assessments.filter(({ verdict }) => !left.includes(verdict)),
  }));
  return {
    ...report,
    task: { source: 'TASK.md', text },
    next,
    failures: [],
    notReviewed: [],
    reviews,
  };
}

/** A run with gaps and a question. */
export const endedReport = without(madeReport(), 'errored');
const quiet = madeReport({ gaps: 0, versions: 1 });
/** A run without either. */
export const calm: RunReport = {
  ...without(quiet, 'errored', 'undecided'),
  ...{ undecided: [], coverage: quiet.coverage.slice(0, 1) },
  next: [{ why: 'a page to read', command: 'reviewloop report run-1 --html report.html' }],
};
const open: RunReport = {
  ...without(quiet, 'errored'),
  counts: { passed: 9, failed: 0, skipped: 36, undecided: 1, errored: 0 },
};
const major = endedReport.gaps.filter(({ severity }) => severity === 'major');
const question = {
  ...{ id: 'q1', runId: 'run-1', digest: 'version-4', question: 'Is it fine?', gaps: [] },
  allowed: ['approve', 'reject'] as const,
} as unknown as NonNullable<RunReport['requests']>[number];
const waits = [{ question: 'Is it fine?', askedAt: '2026-11-22T10:00:00.000Z' }];
const asked = [
  { why: '', command: 'reviewloop answer run-1 approve' },
  { why: 'in the browser', command: 'reviewloop inbox' },
];
const because = { by: 'Ann', reason: 'the image follows on Monday' };

/** A judge whose service did not answer three calls. */
export const unanswered: RunReport['failures'][number] = {
  ...{ criterion: 'tone', verdict: 'errored', text: 'the service is down', code: 'error' },
  tries: ['14:02:11', '14:02:13', '14:05:40'].map((time) => ({
    ...{ at: `2026-11-22T${time}.000Z`, durationMs: 900, what: '503 overloaded' },
  })),
};

export const endedReports: readonly (readonly [string, RunReport, string])[] = [
  ['approved', { ...calm, status: 'approved', approved: true, exitCode: 0 }, 'Approved'],
  [
    'approved by a person',
    { ...calm, status: 'approved', approved: true, exitCode: 0, decidedBy: 'Ann' },
    'Approved by Ann',
  ],
  [
    'overridden',
    {
      ...endedReport,
      status: 'accepted',
      exitCode: 0,
      acceptance: { kind: 'override', ...because },
    },
    'Approved by Ann, against 3 gaps',
  ],
  ['with an open question', open, 'Not approved yet: 1 question for you'],
  [
    'with an open question and a minor gap',
    { ...endedReport, gaps: endedReport.gaps.filter(({ severity }) => severity === 'minor') },
    'Not approved yet: 1 question for you',
  ],
  [
    'suspended',
    { ...calm, status: 'suspended', exitCode: 53, requests: [question], waits, next: asked },
    'Not approved yet: 1 question for you',
  ],
  [
    'with gaps',
    {
      ...{ ...endedReport, gaps: major, status: 'exhausted' },
      reviews: endedReport.reviews.map((one) => (one.best ? { ...one, gaps: major } : one)),
    },
    'Not approved: 1 major gap',
  ],
  [
    'rejected',
    { ...calm, status: 'rejected', exitCode: 51, decidedBy: 'Ann', reason: 'too long' },
    'Rejected by Ann',
  ],
  ['with a failed judge', madeReport(), 'No verdict: 1 judge failed'],
  [
    'with a service that is down',
    { ...quiet, failures: quiet.reviews.map(() => unanswered), undecided: [] },
    'No verdict: 1 judge failed',
  ],
  [
    'where only checks passed',
    { ...open, exitCode: 0, checksPassed: true },
    'Checks passed, 1 question not judged',
  ],
  [
    'cancelled',
    { ...calm, status: 'cancelled', exitCode: 130, reason: 'Ctrl-C' },
    'No verdict: it was cancelled',
  ],
  [
    'of which nothing was judged',
    { ...calm, code: 'nothing_judged', counts: { ...zero(), skipped: 53 } },
    'No verdict: nothing was judged',
  ],
];

function zero() {
  return { passed: 0, failed: 0, skipped: 0, undecided: 0, errored: 0 };
}
