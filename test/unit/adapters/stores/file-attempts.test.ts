import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileAttempts } from '@/adapters/stores/file/file-attempts.js';
import { attemptToStore } from '@/ports/attempt-store.js';
import { withCode } from '../../../support/matchers.js';
import { taskAttempt } from '../../../support/task-attempt.js';
import { folderOf } from '../../faces/cli/harness.js';

const day = (number: number): string => `2026-01-0${number}T00:00:00.000Z`;

it('an attempt may have any status, verdict and decision, and a number of issues', () => {
  for (const more of [
    ...(['success', 'failed', 'waiting'] as const).map((status) => ({ status })),
    ...(['approve', 'reject', 'fix', 'skip'] as const).map((humanDecision) => ({ humanDecision })),
    ...(['passed', 'fixed', 'failed', 'skipped', 'rejected', 'not_run', 'error'] as const).map(
      (machineVerdict) => ({ machineVerdict, reviewStatus: machineVerdict }),
    ),
    { issues: 0 },
    { issues: 7, reviewDurationMs: 12.5, reviewUsage: { inputTokens: 3 } },
  ])
    expect(attemptToStore(taskAttempt(more))).toMatchObject(more);
  for (const wrong of [
    { issues: -1 },
    { issues: 0.5 },
    { runId: 'x'.repeat(1001) },
    { status: 'done' },
    { reviewDurationMs: -1 },
  ])
    expect(() => attemptToStore(taskAttempt(wrong as object)), JSON.stringify(wrong)).toThrow(
      withCode('invalid_options'),
    );
});

it('an attempt that an earlier version stored lacks what that did not know', () => {
  const { decisionReason, reviewUsage, reviewDurationMs, ...old } = taskAttempt();
  expect([decisionReason, reviewUsage, reviewDurationMs]).toEqual([null, {}, null]);
  expect(attemptToStore(old as never)).toEqual(taskAttempt());
});

describe('attempts in files', () => {
  it('are ordered by time, then by number, whatever their names', async () => {
    const { record, of } = fileAttempts(await folderOf());
    const given = [
      [3, 1],
      [2, 2],
      [1, 2],
      [5, 0],
      [4, 3],
    ] as const;
    for (const [attempt, time] of given) await record(taskAttempt({ attempt, at: day(time + 1) }));
    expect((await of('TASK-001')).map(({ attempt }) => attempt)).toEqual([5, 3, 1, 2, 4]);
  });

  it('are JSON for people, one file each, and other files are left alone', async () => {
    const folder = await folderOf();
    const { record, of } = fileAttempts(folder);
    await record(taskAttempt());
    const [task = ''] = readdirSync(folder);
    const [name = ''] = readdirSync(join(folder, task));
    expect(`${task}/${name}`).toMatch(/^[0-9a-f]{32}\/[0-9a-f]{32}\.json$/);
    expect(readFileSync(join(folder, task, name), 'utf8')).toBe(
      `${JSON.stringify(taskAttempt(), null, 2)}\n`,
    );
    writeFileSync(join(folder, task, 'notes.txt'), 'mine');
    expect(await of('TASK-001')).toHaveLength(1);
    writeFileSync(join(folder, task, name), '{}');
    await expect(of('TASK-001')).rejects.toMatchObject({
      ...{ code: 'journal_corrupt', value: join(folder, task, name) },
    });
  });

  it('that cannot be listed are no attempts that do not exist', async () => {
    const folder = await folderOf();
    const { record, of } = fileAttempts(folder);
    await record(taskAttempt());
    const [task = ''] = readdirSync(folder);
    const file = await folderOf({ [task]: 'a file' });
    await expect(fileAttempts(file).of('TASK-001')).rejects.toMatchObject({
      ...{ code: 'file_unreadable', value: join(file, task) },
    });
    mkdirSync(join(folder, 'empty'));
    expect(await of('T-9')).toEqual([]);
  });
});
