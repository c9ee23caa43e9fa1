import { describe, expect, it } from 'vitest';
import { renderReport } from '@/faces/cli-kit/show/render-report.js';
import {
  type TaskWays,
  taskExitCode,
  taskJson,
  taskLines,
  taskReports,
  worstOf,
} from '@/faces/commands/task-review/task-report.js';
import { taskRunReport } from '@/faces/commands/task-review/task-run-report.js';
import { verdictOf } from '@/faces/reports/verdict-words.js';
import { paintFor } from '@/node/terminal/colours.js';
import type { JournalRecord } from '@/ports/store.js';
import type { TaskResult } from '@/products/task-review/index.js';
import type { TaskWork } from '@/products/task-review/task.js';
import { taskAttempt } from '../../../../support/task-attempt.js';

const again = 'reviewloop tasks run tasks.md --task T-1';
/** The result of the attempt, in a run of this status. */
function resultOf(
  more: Parameters<typeof taskAttempt>[0] = {},
  run: Partial<Record<'status' | 'code' | 'output', unknown>> = {},
): TaskResult {
  const attempt = taskAttempt({ taskId: 'T-1', ...more });
  const { status, error, errorCode } = attempt;
  return {
    ...{ success: status === 'success', status, error, code: errorCode },
    ...{ reviewStatus: attempt.reviewStatus, machineVerdict: attempt.machineVerdict },
    ...{ humanDecision: null, reviewFindings: attempt.reviewFindings, issues: null },
    ...{ previousError: null, attempts: [attempt] },
    run: {
      ...{ runId: 'r1', status: 'exhausted', code: 'c', reason: 'r', output: {}, reviews: [] },
      ...run,
    },
  } as unknown as TaskResult;
}
const linesOf = (result: TaskResult, ways: Partial<TaskWays> = {}): string[] =>
  taskLines('T-1', result, { store: ' --store file:here', again, ...ways });

describe('the exit code of tasks', () => {
  it('is 0 after success, 1 if the commit failed, else that of the run', () => {
    expect(taskExitCode(resultOf({ status: 'success' }))).toBe(0);
    expect(
      taskExitCode(resultOf({ errorCode: 'COMMIT_FAILED' }, { status: 'approved', code: 'x' })),
    ).toBe(1);
    for (const [status, code] of [
      ['exhausted', 50],
      ['inconclusive', 50],
      ['rejected', 51],
      ['timed_out', 52],
      ['suspended', 53],
      ['cancelled', 130],
      ['failed', 1],
    ] as const)
      expect(taskExitCode(resultOf({ errorCode: 'ERROR' }, { status })), status).toBe(code);
  });

  it('is the worst of several: cancelled, failed, timed out, rejected, not approved, waiting', () => {
    const order = [130, 1, 52, 51, 50, 53, 0];
    for (const [index, worst] of order.entries()) {
      expect(worstOf(order.slice(index))).toBe(worst);
      expect(worstOf(order.slice(index).reverse())).toBe(worst);
    }
    expect(worstOf([])).toBe(0);
  });

  it('stands beside the whole result in JSON, without the work of the run', () => {
    const result = resultOf({ error: 'no' });
    expect(taskJson(result)).toEqual({
      ...result,
      run: { runId: 'r1', status: 'exhausted', code: 'c', reason: 'r' },
    });
  });
});

describe('the lines about a task', () => {
  it('are one after success, and the command that answers while it waits', () => {
    expect(linesOf(resultOf({ status: 'success' }))).toEqual(['T-1: success']);
    const waiting = (machineVerdict: 'passed' | 'fixed' | 'failed' | null) =>
      linesOf(resultOf({ status: 'waiting', machineVerdict }, { status: 'suspended' }));
    for (const verdict of ['passed', 'fixed'] as const)
      expect(waiting(verdict)).toEqual([
        'T-1: waiting',
        '  suspended: waiting for an answer',
        '  next: reviewloop answer r1 approve --store file:here',
        '  or: reject, revise or skip in place of approve',
      ]);
    // an approval of what reviewers did not pass needs a reason
    for (const verdict of ['failed', null] as const)
      expect(waiting(verdict)[2]).toBe(
        '  next: reviewloop answer r1 approve --reason "..." --store file:here',
      );
  });

  it('name the findings of a failed review that blocks nothing, and the command that shows it [R3-085]', () => {
    const advisory = { status: 'success', reviewFindings: 'a.js: no test' } as const;
    const failed = resultOf({ ...advisory, machineVerdict: 'failed' });
    expect(linesOf(failed, { commit: '4f1c2d9' }).slice(1)).toEqual([
      expect.stringMatching(/^ {2}done, but its review did not approve: reviews are advisory/),
      '  a.js: no test',
      '  next: reviewloop runs r1 --store file:here',
      `  or: ${again} --anew # does the task again`,
      '  or: git revert --no-edit 4f1c2d9',
      '  never again: pass --review-policy required',
    ]);
    const passed = resultOf({ ...advisory, machineVerdict: 'passed' });
    expect(linesOf(passed, { commit: '4f1c2d9' })).toHaveLength(1);
    expect(linesOf(passed, { message: "T-1: Ann's tea" }).slice(1)).toEqual([
      `  next: git add -A && git commit -m 'T-1: Ann'\\''s tea'`,
      '  or: git stash -u # takes the changes away',
    ]);
  });

  it('name cause and findings of a failure, ten at most, and the ways on', () => {
    const reviewFindings = Array.from({ length: 12 }, (_, index) => `issue ${index}`).join('\n');
    const failed = resultOf({
      ...{ errorCode: 'REVIEW_FAILED', error: 'Review\nfound issues', reviewFindings },
      ...{ reviewStatus: 'failed', issues: 12 },
    });
    expect(linesOf(failed)).toEqual([
      'T-1: failed  (review: failed, 12 issues)',
      '  exhausted, REVIEW_FAILED: Review found issues',
      ...Array.from({ length: 10 }, (_, index) => `  issue ${index}`),
      `  next: ${again} # does the task again`,
      '  or: reviewloop answer r1 override --reason "..." --store file:here',
    ]);
    expect(linesOf(resultOf({ errorCode: 'ERROR', error: 'x'.repeat(600) }))[1]).toBe(
      `  exhausted, ERROR: ${'x'.repeat(500)}`,
    );
    expect(linesOf(resultOf({ errorCode: 'ERROR', reviewFindings: '\n \none\n' }))).toEqual([
      'T-1: failed',
      '  exhausted, ERROR: ',
      '  one',
      ...linesOf(failed).slice(-2),
    ]);
  });

  it('say where the work is, and offer no override of work that does not exist', () => {
    const failed = resultOf({ errorCode: 'TASK_FAILED' }, { output: undefined });
    const ways = (more: Partial<TaskWays>): string[] => linesOf(failed, more).slice(2);
    const next = `  next: ${again} # does the task again`;
    expect(ways({})).toEqual([next]);
    expect(ways({ folder: '/w/T-1' })).toEqual(['  its work is in /w/T-1', next]);
    expect(ways({ aside: '/w/T 1.patch', folder: '/w' })).toEqual([
      "  its changes are set aside: git apply '/w/T 1.patch'",
      next,
    ]);
  });

  it('give an override a reason, also where the reviewers passed the work', () => {
    const late = { errorCode: 'TIMED_OUT', machineVerdict: 'passed' } as const;
    expect(linesOf(resultOf(late)).at(-1)).toBe(
      '  or: reviewloop answer r1 override --reason "..." --store file:here',
    );
  });

  it('ask reviewers again that gave no verdict, and continue what was interrupted', () => {
    for (const errorCode of ['REVIEW_NOT_RUN', 'REVIEW_ERROR'])
      expect(
        linesOf(resultOf({ errorCode, error: 'late', reviewFindings: 'late' })).slice(1),
      ).toEqual([
        `  exhausted, ${errorCode}: late`,
        `  next: ${again} # asks the reviewers again`,
        `  or: ${again} --anew # does the task again`,
        '  or: reviewloop answer r1 override --reason "..." --store file:here',
      ]);
    for (const errorCode of ['CANCELLED', 'COMMIT_FAILED'])
      expect(linesOf(resultOf({ errorCode })).slice(2)).toEqual([`  next: ${again} # continues`]);
  });
});

const task = {
  id: 'TASK-1',
  name: 'Greet',
  description: 'Write a greeting.',
  checklist: [{ text: 'it says hello', done: false }],
};
const work = (attempt: number, text: string): TaskWork => ({
  attempt,
  repairs: 0,
  change: {
    ...{ base: 'base', digest: `digest-${attempt}`, leftOut: 0 },
    files: [
      { path: 'a.txt', status: 'new', added: 1, removed: 0, binary: false },
      { path: 'b.bin', status: 'new', added: 0, removed: 0, binary: true },
    ],
    diff: `diff --git a/a.txt b/a.txt\n+${text}\n`,
  },
});
const step = (name: string, value: unknown): JournalRecord => ({
  ...{ type: 'step', name, input: '', value, usage: { inputTokens: 10 }, at: 5 },
});
const check = (iteration: number, exitCode: number) =>
  step(`iter:${iteration}/review:checks/tests/run`, { exitCode, stdout: 'out', stderr: 'err' });
const records: JournalRecord[] = [
  {
    ...{ type: 'run', schema: 1, runId: 'run-1', pipeline: 'task-review', taskDigest: '', task },
    ...{ nonce: '', at: 0 },
  },
  step('produce', work(1, 'bye')),
  check(1, 1),
  step('iter:1/address', work(2, 'hello')),
  check(2, 0),
  {
    ...{ type: 'attempt', name: 'iter:2/review:code/ask', input: '', code: 'timeout' },
    ...{ message: 'no answer', at: 6 },
  },
  {
    type: 'request',
    request: {
      ...{ id: 'q', runId: 'run-1', digest: 'asked', question: 'Go on?', gaps: [] },
      allowed: ['approve'],
    },
    at: 7,
  },
  { type: 'end', status: 'suspended', code: 'waiting', at: 8 },
];

describe('a waiting task in the inbox', () => {
  const attempts = [
    taskAttempt({ attempt: 1, status: 'failed', machineVerdict: 'failed', error: 'tests failed' }),
    taskAttempt({ attempt: 2, status: 'waiting', machineVerdict: 'not_run', reviewFindings: null }),
  ];
  const { report, versions } = taskRunReport('run-1', { task, records, attempts });

  it('shows the task, its attempts, their checks and what reviewers said', () => {
    expect(report.task.text).toBe('TASK-1: Greet\n\nWrite a greeting.\n\n- [ ] it says hello');
    expect(
      report.reviews.map(({ iteration, best, decision, assessments }) => [
        iteration,
        best,
        decision,
        assessments.map(({ criterion, verdict }) => `${criterion} ${verdict}`),
      ]),
    ).toEqual([
      [1, false, { kind: 'failed', reason: 'tests failed' }, ['tests fail', 'review fail']],
      [2, true, { kind: 'waiting', reason: 'Go on?' }, ['tests pass', 'review errored']],
    ]);
    expect(report.reviews[0]?.assessments[0]?.text).toBe('exit code 1\nout\nerr');
    expect(report.failures).toMatchObject([{ criterion: 'review', code: 'not_run' }]);
    expect(report.attempts).toMatchObject([{ code: 'timeout', message: 'no answer' }]);
    expect(report.usage).toEqual({ inputTokens: 40, totalTokens: 40 });
  });

  it('shows the change of every attempt, file by file', () => {
    expect(Object.keys(versions ?? {})).toEqual(['attempt-1-digest-1', 'asked']);
    expect(versions?.['asked']).toEqual([
      { type: 'code', path: 'a.txt', content: 'diff --git a/a.txt b/a.txt\n+hello\n' },
      { type: 'code', path: 'b.bin', content: 'new: 0 lines added, 0 removed; not shown' },
    ]);
  });

  it('says who rejected the work, and why [R3-092]', () => {
    const said = (reason: string) =>
      verdictOf({ ...report, status: 'rejected', decidedBy: 'Ada', reason });
    expect(said('fine')).toMatchObject({ word: 'Rejected by Ada', why: '"fine"' });
    expect(said('rejected by Ada')).toMatchObject({ word: 'Rejected by Ada', why: '' });
  });

  it('says of each attempt how it ended, where a task has no score', () => {
    const plain = paintFor(false);
    const options = { columns: undefined, paint: plain, show: (part: string) => part };
    const text = renderReport(report, options);
    expect(text).toMatch(/^ +version 1 +failed +2 failed .* s$/m);
    expect(text).toMatch(/^ +version 2 +waiting +1 passed, 1 judge failed .* best$/m);
    expect(text).not.toMatch(/overall|unknown/);
  });

  it('shows what is recorded where no attempt is stored', () => {
    const early = taskRunReport('run-1', { task, records: records.slice(0, 2), attempts: [] });
    expect(early.report.reviews).toHaveLength(1);
    expect(early.report.status).toBe('running');
  });
});

describe('the reports of tasks', () => {
  const now = Date.parse('2026-11-22T10:00:00Z');

  const run = {
    ...{ runId: 'r1', status: 'approved', approved: true, code: 'approved', reason: 'all passed' },
    ...{ reviews: [], usage: { produce: {}, review: {}, address: {} } },
    output: { change: { files: [{ path: 'a.js' }, { path: 'b.js' }] } },
  };

  const resultOf = (more: object = {}) =>
    ({ success: true, error: null, attempts: [], run, ...more }) as unknown as TaskResult;

  const ended = { id: 'T-1', exitCode: 0, done: true, lines: [] };

  it('have the files, the first time and the time of all reviews of a task', async () => {
    const attempts = [
      taskAttempt({ at: '2026-11-22T09:00:00.000Z', reviewDurationMs: 40 }),
      taskAttempt({ at: '2026-11-22T09:30:00.000Z', reviewDurationMs: null }),
      taskAttempt({ at: '2026-11-22T09:40:00.000Z', reviewDurationMs: 2 }),
    ];
    const [first, second, ...more] = await taskReports(
      [
        { ...ended, result: resultOf({ attempts }) },
        { ...ended, id: 'T-2', result: resultOf({ run: { ...run, output: undefined } }) },
      ],
      now,
    );
    expect(first).toMatchObject({
      ...{ runId: 'r1', pipeline: 'task T-1', status: 'approved', exitCode: 0 },
      ...{ at: '2026-11-22T09:00:00.000Z', durationMs: 42, task: { source: 'T-1' } },
      ...{ reason: 'all passed', files: [{ path: 'a.js', type: 'code' }, { path: 'b.js' }] },
    });
    expect(second).toMatchObject({ at: '2026-11-22T10:00:00.000Z', durationMs: 0, files: [] });
    expect(more).toEqual([]);
  });

  it('say why a task failed, not how its last review went, and keep no secret', async () => {
    const key = `sk-ant-api03-${'aB3'.repeat(30)}AA`;
    const reasons = async (more: object) =>
      (await taskReports([{ ...ended, result: resultOf(more) }], now)).map(({ reason }) => reason);
    expect(await reasons({ success: false, error: 'the commit failed' })).toEqual([
      'the commit failed',
    ]);
    expect(await reasons({ success: false, error: null })).toEqual(['all passed']);
    expect(await reasons({ success: true, error: 'ignored' })).toEqual(['all passed']);
    expect((await reasons({ success: false, error: `no ${key}` })).join()).not.toContain(key);
  });

  it('name a task that did not start, and leave out one that was done before', async () => {
    const notRun = (exitCode: number) => ({
      ...{ id: 'T-3', exitCode, done: false, lines: ['T-3: not run', '  it  depends on T-2'] },
    });
    const reports = await taskReports([ended, notRun(50), notRun(51), notRun(130)], now);
    expect(reports.map(({ status }) => status)).toEqual(['failed', 'rejected', 'cancelled']);
    expect(reports[0]).toMatchObject({
      ...{ runId: expect.stringMatching(/^task-[0-9a-f]{16}$/) as unknown, pipeline: 'task T-3' },
      ...{ code: 'not_run', reason: 'T-3: not run it depends on T-2', exitCode: 50 },
      ...{ at: '2026-11-22T10:00:00.000Z', durationMs: 0, files: [], approved: false },
    });
  });
});
