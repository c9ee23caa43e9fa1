import { describe, expect, it } from 'vitest';
import { taskReports } from '../../../../src/task-review/command/ended-task-reports.js';
import type { TaskResult } from '../../../../src/task-review/index.js';
import { taskAttempt } from '../../../support/task-attempt.js';

const now = Date.parse('2026-11-22T10:00:00Z');
const run = {
  ...{ runId: 'r1', status: 'approved', approved: true, code: 'approved', reason: 'all passed' },
  ...{ reviews: [], usage: { produce: {}, review: {}, address: {} } },
  output: { change: { files: [{ path: 'a.js' }, { path: 'b.js' }] } },
};
const resultOf = (more: object = {}) =>
  ({ success: true, error: null, attempts: [], run, ...more }) as unknown as TaskResult;
const ended = { id: 'T-1', exitCode: 0, done: true, lines: [] };

describe('the reports of tasks', () => {
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
