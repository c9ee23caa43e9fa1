import { describe, expect, it } from 'vitest';
import { readFences } from '@/blocks/models/prompt/fence.js';
import { criterion } from '@/blocks/reviewers/criterion.js';
import type { Assessment } from '@/core/assessment.js';
import type { DiffSource } from '@/core/diff/diff-source.js';
import { ReviewLoopError } from '@/core/errors.js';
import type { Gap } from '@/core/gap.js';
import type { Outcome, Review } from '@/index.js';
import { taskErrors } from '@/products/task-review/errors.js';
import type { TaskWork } from '@/products/task-review/task.js';
import { attemptsOf } from '@/products/task-review/task-attempts.js';
import { autoFixed } from '@/products/task-review/task-checks.js';
import { formatReviewFindings } from '@/products/task-review/task-definition.js';
import { type TaskPolicyOptions, taskPolicy } from '@/products/task-review/task-policy.js';
import { resultOf } from '@/products/task-review/task-result.js';
import { TaskReview } from '@/products/task-review/task-review.js';
import type { TaskReviewOptions } from '@/products/task-review/task-review-options.js';
import { throwing } from '../../../support/throwing.js';
import { diffFile } from '../diff-file.js';
import { passes, task } from './support.js';

const gap: Gap = {
  ...{ id: 'g', severity: 'major', category: 'quality', description: 'thin' },
  ...{ suggestedFix: 'more', estimatedEffort: 'small', autoFixable: true },
};
const pass = (criterion: string): Assessment => ({
  ...{ verdict: 'pass', criterion, score: 1, explanation: 'fine', gaps: [] },
});
const fail = (criterion: string, explanation = 'broken'): Assessment => ({
  ...{ verdict: 'fail', criterion, score: 0, explanation, gaps: [] },
});
const skipped = (criterion: string): Assessment => ({
  ...{ verdict: 'skipped', criterion, reason: 'not configured' },
});
const error = (message: string): ReviewLoopError =>
  new ReviewLoopError(Object.values(taskErrors)[0] ?? 'invalid_options', message);
const errored = (criterion: string): Assessment => ({
  ...{ verdict: 'errored', criterion, error: error('no connection') },
});
const reviewed = (assessments: readonly Assessment[], gaps: readonly Gap[] = []) => ({
  ...{ iteration: 1, version: 'v'.repeat(20), assessments, gaps },
  decision: { kind: 'revise', reason: 'r', from: 'latest', blocking: [gap] },
});

/** The decision about a review, after these ones. */
function decide(
  assessments: readonly Assessment[],
  {
    gaps,
    history = [],
    ...options
  }: Partial<TaskPolicyOptions> & {
    readonly gaps?: readonly Gap[];
    readonly history?: readonly (readonly Assessment[])[];
  } = {},
) {
  const policy = taskPolicy({
    ...{ reviewPolicy: 'advisory', hitlReview: false, maxAttempts: 3 },
    ...options,
  });
  const review = reviewed(assessments, gaps);
  return policy({
    review,
    history: history.map((earlier) => reviewed(earlier)),
  } as unknown as Parameters<typeof policy>[0]);
}
const checks = [pass('execution'), pass('tests'), pass('lint')];

describe('what follows after the checks of a task', () => {
  it('an errored check stops the task, before anything else that failed', () => {
    expect(decide([pass('execution'), fail('tests'), errored('lint')])).toMatchObject({
      ...{ kind: 'stop', status: 'inconclusive', code: 'check_broken' },
      reason: expect.stringMatching(/^could not be run: tests, lint: .*no connection/s) as unknown,
    });
  });

  it('a failed check means another attempt, until none is left', () => {
    const failed = [pass('execution'), fail('tests', '1 failed'), skipped('lint')];
    expect(decide(failed)).toMatchObject({
      ...{ kind: 'revise', from: 'latest', reason: 'failed: tests' },
      blocking: [
        {
          ...{ id: `task:${'v'.repeat(16)}`, severity: 'major', category: 'incomplete' },
          ...{ description: 'tests: 1 failed', suggestedFix: 'tests: 1 failed', autoFixable: true },
        },
      ],
    });
    expect(decide(failed, { history: [failed] })).toMatchObject({ kind: 'revise' });
    expect(decide(failed, { history: [failed, failed] })).toEqual({
      ...{ kind: 'stop', status: 'exhausted', code: 'tests_failed' },
      reason: 'failed: tests; 3 of 3 attempts made (maxAttempts)',
    });
    expect(decide(failed, { maxAttempts: 1 })).toMatchObject({ kind: 'stop' });
  });

  it('a task that changed nothing is told so', () => {
    expect(decide([fail('change', 'the task changed no file')], { maxAttempts: 1 })).toMatchObject({
      ...{ kind: 'stop', status: 'exhausted', code: 'nothing_changed' },
      reason: expect.stringMatching(/^the task changed no file; 1 of 1/) as unknown,
    });
  });

  it('files that the linter changed are tested again in the same attempt', () => {
    const repaired = [pass('execution'), pass('tests'), fail('lint', `${autoFixed} a.js was`)];
    expect(decide(repaired, { maxAttempts: 1 })).toMatchObject({
      ...{ kind: 'revise', reason: 'the linter changed files, which are tested again' },
    });
    expect(decide([fail('tests')], { history: [repaired], maxAttempts: 2 })).toMatchObject({
      kind: 'revise',
    });
  });

  it('a check that judged nothing stops the task', () => {
    expect(decide([pass('execution'), skipped('tests'), pass('review')])).toMatchObject({
      ...{ kind: 'stop', status: 'inconclusive', code: 'check_broken' },
      reason: 'judged nothing: tests',
    });
  });
});

describe('what follows after the review of a task', () => {
  it('a pass approves, and names only what ran and passed [R2-003]', () => {
    expect(decide([...checks, pass('review')])).toEqual({
      ...{ kind: 'approve', reason: 'tests, lint and review passed' },
    });
    for (const [assessments, reason] of [
      [[pass('tests'), pass('review')], 'tests and review passed'],
      [[pass('review')], 'review passed'],
      [[pass('lint'), skipped('review')], 'lint passed; the review is disabled'],
    ] as const)
      expect(decide([pass('execution'), ...assessments])).toEqual({ kind: 'approve', reason });
  });

  it('without a review checks approve; without checks nothing does', () => {
    expect(decide([...checks, skipped('review')])).toEqual({
      ...{ kind: 'approve', reason: 'tests and lint passed; the review is disabled' },
    });
    expect(decide([pass('execution'), skipped('review')])).toMatchObject({
      ...{ kind: 'accept', code: 'not_reviewed' },
      reason: 'the review is disabled, and neither tests nor a linter are configured',
    });
  });

  it('a fail is accepted where it is advisory, and means another attempt where it is required', () => {
    const failed = [...checks, fail('review', 'failed: thin')];
    expect(decide(failed)).toEqual({
      ...{
        kind: 'accept',
        code: 'review_failed',
        reason: 'the review says failed, and is advisory',
      },
    });
    expect(decide(failed, { reviewPolicy: 'required', gaps: [gap] })).toEqual({
      ...{ kind: 'revise', from: 'latest', reason: 'the review says failed', blocking: [gap] },
    });
    const waived = { ...gap, standing: 'waived' } as const;
    for (const other of [waived, { ...gap, autoFixable: false }])
      expect(decide(failed, { reviewPolicy: 'required', gaps: [other] })).toMatchObject({
        blocking: [{ description: 'thin', suggestedFix: 'thin' }],
      });
    expect(decide(failed, { reviewPolicy: 'required', maxAttempts: 1 })).toMatchObject({
      ...{ kind: 'stop', status: 'exhausted', code: 'review_failed' },
    });
  });

  it('no verdict is a stop, never an approval', () => {
    expect(decide([...checks, errored('review')])).toMatchObject({
      ...{ kind: 'stop', status: 'inconclusive', code: 'review_broken' },
      reason: expect.stringMatching(/^the review says error: .*no connection/s) as unknown,
    });
    const open: Assessment = {
      ...{ verdict: 'undecided', criterion: 'review', reason: 'no answer' },
      decidableBy: ['person'],
    };
    expect(decide([...checks, open])).toEqual({
      ...{ kind: 'stop', status: 'inconclusive', code: 'review_not_run' },
      reason: 'the review says not_run: no answer',
    });
  });

  it('what the reviewers fixed is reviewed again, before a person is asked', () => {
    const fixed = [...checks, fail('review', 'fixed: mended')];
    expect(decide(fixed, { hitlReview: true, maxAttempts: 1 })).toMatchObject({
      ...{ kind: 'revise', reason: 'the reviewers changed the code, which is reviewed again' },
    });
    expect(decide(checks, { hitlReview: true })).toEqual({
      ...{ kind: 'ask', reason: 'the review says skipped' },
      question: 'Verdict: REVIEW_SKIPPED. How should it continue?',
      allowed: ['approve', 'reject', 'revise', 'skip'],
    });
  });
});

const at = '2026-01-01T00:00:00.000Z';
const assessed = (
  criterion: string,
  verdict: 'pass' | 'fail',
  explanation = `${verdict}ed: as it is`,
): Assessment => ({
  ...{ verdict, criterion, score: verdict === 'pass' ? 1 : 0, explanation, gaps: [] },
});
const round = (assessments: readonly Assessment[], more: Partial<Review> = {}): Review => ({
  ...{ iteration: 1, version: 'v', assessments, gaps: [], fixed: [], complete: true, at },
  ...{ durationMs: 5, usage: { inputTokens: 10 } },
  scores: {
    ...{ quality: 1, completeness: 1, correctness: 1, overall: 1, judged: 1, total: 1 },
    criteria: { met: 1, judged: 1, total: 1 },
    requirements: { met: 0, judged: 0, total: 0 },
  },
  decision: { kind: 'stop', status: 'exhausted', code: 'c', reason: 'r' },
  ...more,
});
const runOf = (status: string, reviews: readonly Review[], more: object = {}): Outcome<TaskWork> =>
  ({
    ...{ status, approved: false, runId: 'r', reason: 'because', code: status, reviews },
    ...{ usage: { produce: {}, review: {}, address: {} }, output: undefined, ...more },
  }) as unknown as Outcome<TaskWork>;
const ended = (run: Outcome<TaskWork>) =>
  resultOf(run, attemptsOf('T', run, { now: Date.parse(at) + 1, answers: new Map() }));

describe('what a task comes to', () => {
  it.each([
    ['timed_out', 'TIMED_OUT'],
    ['cancelled', 'CANCELLED'],
    ['failed', 'ERROR'],
  ])('a run that %s is %s, before a review and after one', (status, code) => {
    const before = ended(runOf(status, []));
    expect(before).toMatchObject({
      success: false,
      code,
      error: 'because',
      reviewStatus: null,
      attempts: [{ attempt: 1, at: '2026-01-01T00:00:00.001Z' }],
    });
    expect(ended(runOf(status, [round([assessed('review', 'pass')])]))).toMatchObject({
      success: false,
      code,
      machineVerdict: 'passed',
      humanDecision: null,
    });
  });

  it.each([
    [[assessed('execution', 'fail')], 'TASK_FAILED'],
    [[assessed('tests', 'fail')], 'TESTS_FAILED'],
    [[assessed('lint', 'fail')], 'LINT_FAILED'],
    [[assessed('review', 'fail')], 'REVIEW_FAILED'],
    [[assessed('review', 'pass')], 'ERROR'],
  ])('one that was stopped is named after what had failed: %#', (assessments, code) => {
    expect(ended(runOf('exhausted', [round(assessments)])).code).toBe(code);
  });

  it('adds up the cost of the rounds of an attempt, and counts the issues of the repaired one', () => {
    const raised = { ...gap, raisedBy: 'review' };
    const revise = { kind: 'revise', reason: 'r', from: 'latest', blocking: [raised] } as const;
    const mended = round([assessed('review', 'fail', 'fixed: mended')], {
      gaps: [raised],
      decision: revise,
    });
    const { attempts } = ended(runOf('approved', [mended, round([assessed('review', 'pass')])]));
    expect(attempts).toMatchObject([
      {
        ...{ attempt: 1, status: 'success', machineVerdict: 'fixed', issues: 1 },
        ...{ reviewUsage: { inputTokens: 20 }, reviewDurationMs: 10 },
      },
    ]);
  });

  it('a person who overrides, or asks for an impossible fix, is recorded with name and reason', () => {
    const asked = round([assessed('review', 'fail')], {
      decision: { kind: 'ask', reason: 'r', question: 'q', allowed: ['approve'] },
    });
    const acceptance = { kind: 'override', by: 'ann', reason: 'known' } as const;
    expect(
      ended(runOf('accepted', [asked], { code: 'person_overrode', decidedBy: 'ann', acceptance }))
        .attempts,
    ).toMatchObject([{ humanDecision: 'approve', decidedBy: 'ann', decisionReason: 'known' }]);
    expect(ended(runOf('exhausted', [asked]))).toMatchObject({
      code: 'FIX_REQUESTED',
      humanDecision: 'fix',
      previousError: expect.stringMatching(/^Fix requested\. Review findings:\n/),
    });
    expect(ended(runOf('cancelled', [asked]))).toMatchObject({
      code: 'CANCELLED',
      humanDecision: null,
    });
  });
});

it('the question says that nothing was found, and how often linter or reviewers repaired the work [R3-095]', () => {
  expect(formatReviewFindings(round([]), { repairs: 0 })).toBe(
    'No issues found\n\nVerdict: REVIEW_SKIPPED',
  );
  expect(
    formatReviewFindings(round([assessed('review', 'pass', 'passed: fine')]), { repairs: 1 }),
  ).toBe(
    'fine\n\nVerdict: REVIEW_PASSED (repaired 1 time by linter or reviewers, and reviewed again)',
  );
  expect(
    formatReviewFindings(round([assessed('review', 'pass', 'passed: fine')]), { repairs: 2 }),
  ).toContain('repaired 2 times');
});

describe('tests and linter of a task', () => {
  /** A folder that is only told of: what its files hold, and what has changed in them. */
  function folder() {
    const changes = new Map([['a.js', 1]]);
    const diff: DiffSource = {
      id: 'told',
      head: async () => 'base',
      diff: async () => ({
        base: 'base',
        head: 'working-tree',
        files: [...changes].map(([path, added]) => diffFile(path, { added })),
        text: `+${[...changes].flat().join(' ')}\n`,
      }),
    };
    return { changes, diff };
  }

  const tests = (check: (work: TaskWork) => unknown = () => true) =>
    criterion<TaskWork>('tests', (work) => check(work) as boolean);

  const reviewed = (options: Partial<TaskReviewOptions> & Pick<TaskReviewOptions, 'diff'>) =>
    new TaskReview({ execute: async () => {}, provider: passes(), maxAttempts: 1, ...options }).run(
      task,
    );

  it('may be any judges: their calls are separate, and each reads what its scope selects', async () => {
    const { diff } = folder();
    const scoped = criterion(
      'lint',
      (paths: readonly string[]) => JSON.stringify(paths) === '["a.js"]' || 'another view',
      { scope: ({ change }: TaskWork) => change.files.map(({ path }) => path) },
    );
    const result = await reviewed({ diff, tests: tests(), lint: scoped });
    expect(result).toMatchObject({ success: true, reviewStatus: 'passed' });
  });

  it('a judge that breaks stops the task, and says so', async () => {
    const broken = tests(throwing('no test runner'));
    const result = await reviewed({ diff: folder().diff, tests: broken, maxAttempts: 3 });
    expect(result).toMatchObject({
      success: false,
      code: 'TESTS_FAILED',
      machineVerdict: null,
      run: { status: 'inconclusive', code: 'check_broken' },
    });
    expect(result.attempts).toHaveLength(1);
    expect(result.reviewFindings).toContain('no test runner');
  });

  it('the reviewer is shown what a linter complains of that is no failure of the task', async () => {
    const { diff } = folder();
    const failing = await reviewed({
      diff,
      tests: tests(),
      lint: criterion<TaskWork>('lint', () => 'a.js:1 no var'),
    });
    expect(failing).toMatchObject({
      success: false,
      code: 'LINT_FAILED',
      previousError: expect.stringContaining('no var'),
    });
  });

  it('names the files that the linter changed, and stops a linter that changes them on every run', async () => {
    const { changes, diff } = folder();
    let runs = 0;
    const restless = criterion<TaskWork>('lint', () => {
      runs += 1;
      changes.set('b.js', runs).set('a.js', runs + 10);
      return true;
    });
    const result = await reviewed({ diff, lint: restless });
    expect(runs).toBe(3);
    expect(result).toMatchObject({ success: false, code: 'LINT_FAILED' });
    expect(result.reviewFindings).toContain(
      'lint changes files on every run: auto-fixed: a.js, b.js were changed by lint',
    );
  });

  it.each([
    ['', 'auto-fixed: files were changed by lint'],
    [
      'eslint --fix . exited with 0\nFixed 2 problems\n',
      'auto-fixed: files were changed by lint: Fixed 2 problems',
    ],
  ])(
    'tells a reviewer of a linter that took a file away, and its summary %j [P4-06] [R3-088]',
    async (details, told) => {
      const { changes, diff } = folder();
      changes.set('trash.js', 1);
      const provider = passes();
      const tidy = criterion<TaskWork>('lint', () => {
        changes.delete('trash.js');
        return { passed: true, score: 1, details };
      });
      expect(await reviewed({ diff, lint: tidy, provider })).toMatchObject({ success: true });
      const lint = readFences(provider.requests[0]?.messages[0]?.content ?? '').find(
        ({ label }) => label === 'lint status',
      );
      expect(lint?.text).toBe(told);
    },
  );

  it('without tests, linter and review nothing was judged: accepted, and never approved', async () => {
    expect(await reviewed({ diff: folder().diff, review: false })).toMatchObject({
      success: true,
      reviewStatus: 'skipped',
      run: { status: 'accepted', approved: false, code: 'not_reviewed' },
    });
    expect(await reviewed({ diff: folder().diff, review: false, tests: tests() })).toMatchObject({
      success: true,
      run: { status: 'approved' },
    });
  });
});
