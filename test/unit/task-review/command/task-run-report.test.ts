import { describe, expect, it } from 'vitest';
import type { JournalRecord } from '../../../../src/ports/store.js';
import { taskRunReport } from '../../../../src/task-review/command/task-run-report.js';
import type { TaskWork } from '../../../../src/task-review/task.js';
import { taskAttempt } from '../../../support/task-attempt.js';

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
    base: 'base',
    digest: `digest-${attempt}`,
    leftOut: 0,
    files: [
      { path: 'a.txt', status: 'new', added: 1, removed: 0, binary: false },
      { path: 'b.bin', status: 'new', added: 0, removed: 0, binary: true },
    ],
    diff: `diff --git a/a.txt b/a.txt\n+${text}\n`,
  },
});
const step = (name: string, value: unknown): JournalRecord => ({
  type: 'step',
  name,
  input: '',
  value,
  usage: { inputTokens: 10 },
  at: 5,
});
const check = (iteration: number, exitCode: number) =>
  step(`iter:${iteration}/review:checks/tests/run`, { exitCode, stdout: 'out', stderr: 'err' });
const records: JournalRecord[] = [
  {
    type: 'run',
    schema: 1,
    runId: 'run-1',
    pipeline: 'task-review',
    taskDigest: '',
    task,
    nonce: '',
    at: 0,
  },
  step('produce', work(1, 'bye')),
  check(1, 1),
  step('iter:1/address', work(2, 'hello')),
  check(2, 0),
  {
    type: 'attempt',
    name: 'iter:2/review:code/ask',
    input: '',
    code: 'timeout',
    message: 'no answer',
    at: 6,
  },
  {
    type: 'request',
    request: {
      id: 'q',
      runId: 'run-1',
      digest: 'asked',
      question: 'Go on?',
      gaps: [],
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

  it('shows what is recorded where no attempt is stored', () => {
    const early = taskRunReport('run-1', { task, records: records.slice(0, 2), attempts: [] });
    expect(early.report.reviews).toHaveLength(1);
    expect(early.report.status).toBe('running');
  });
});
