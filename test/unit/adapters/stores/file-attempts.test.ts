import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileAttempts } from '@/adapters/stores/file/file-attempts.js';
import { type AttemptStore, attemptToStore, memoryAttempts } from '@/ports/attempt-store.js';
import { withCode } from '../../../support/matchers.js';
import { taskAttempt } from '../../../support/task-attempt.js';
import { folderOf } from '../../faces/cli/harness.js';

const stores: Readonly<Record<string, () => Promise<AttemptStore>>> = {
  'in memory': async () => memoryAttempts(),
  'in files': async () => fileAttempts(await folderOf()),
};
const day = (number: number): string => `2026-01-0${number}T00:00:00.000Z`;

describe.each(Object.entries(stores))('attempts %s', (_, open) => {
  it('are those of one task, the last one at the end; the same attempt is one', async () => {
    const { record, of, last } = await open();
    expect(await of('T-1')).toEqual([]);
    expect(await last('T-1')).toBeUndefined();
    const attempts = [
      taskAttempt({ taskId: 'T-1', attempt: 1, at: day(1) }),
      taskAttempt({ taskId: 'T-2', attempt: 1, at: day(2) }),
      taskAttempt({ taskId: 'T-1', attempt: 2, at: day(3) }),
    ];
    for (const attempt of attempts) await record(attempt);
    await record({ ...attempts[2]!, status: 'success' });
    expect((await of('T-1')).map(({ attempt, status }) => [attempt, status])).toEqual([
      [1, 'failed'],
      [2, 'success'],
    ]);
    expect(await last('T-1')).toMatchObject({ attempt: 2 });
    expect(await of('T-2')).toEqual([attempts[1]]);
  });

  it('refuse what is no attempt, and keep the beginning of long findings', async () => {
    const { record, last } = await open();
    for (const wrong of [
      { attempt: 0 },
      { taskId: '' },
      { runId: 'x'.repeat(1001) },
      { at: 'now' },
    ])
      await expect(record(taskAttempt(wrong)), JSON.stringify(wrong)).rejects.toMatchObject({
        code: 'invalid_options',
      });
    await record(taskAttempt({ reviewFindings: `é${'x'.repeat(3000)}` }));
    const { reviewFindings } = (await last('TASK-001')) ?? {};
    expect(Buffer.byteLength(reviewFindings ?? '')).toBe(2048);
    expect(reviewFindings?.startsWith('éxxx')).toBe(true);
    await record(taskAttempt({ attempt: 2, at: day(2), reviewFindings: null }));
    expect(await last('TASK-001')).toMatchObject({ reviewFindings: null });
  });
});

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
