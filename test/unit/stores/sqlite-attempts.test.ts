import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AttemptEntry } from '../../../src/stores/sqlite/index.js';
import { headOf } from '../../../src/stores/sqlite/plain-text.js';
import { storeWithRaw } from './sqlite-support.js';

describe('attempts', () => {
  it('are numbered, told in order, and the last one is told alone', async () => {
    const { store } = storeWithRaw();
    expect(await store.attempts.last('TASK-001')).toBeUndefined();
    expect(await store.attempts.of('TASK-001')).toEqual([]);
    await store.attempts.record({ taskId: 'TASK-001', status: 'failed', error: 'no tests' });
    await store.attempts.record({ taskId: 'TASK-002' });
    await store.attempts.record({ taskId: 'TASK-001', status: 'success' });
    expect((await store.attempts.of('TASK-001')).map(({ attempt, status }) => [attempt, status])).toEqual([
      [1, 'failed'],
      [2, 'success'],
    ]);
    expect(await store.attempts.last('TASK-001')).toMatchObject({ attempt: 2, status: 'success' });
  });

  it('that are recorded side by side get numbers of their own', async () => {
    const { store } = storeWithRaw();
    const made = await Promise.all(Array.from({ length: 30 }, () => store.attempts.record({ taskId: 'a' })));
    expect(made.map(({ attempt }) => attempt).sort((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
  });

  it('have a review_status of null, passed, fixed, failed, skipped or rejected, and of what is no verdict (P4-16)', async () => {
    const { store, raw } = storeWithRaw();
    await store.attempts.record({ taskId: 'none' });
    for (const reviewStatus of ['passed', 'fixed', 'failed', 'skipped', 'rejected', 'not_run', 'error'] as const) await store.attempts.record({ taskId: reviewStatus, reviewStatus });
    expect(raw('SELECT task_id, review_status FROM attempts')).toEqual([
      { task_id: 'none', review_status: null },
      ...['passed', 'fixed', 'failed', 'skipped', 'rejected', 'not_run', 'error'].map((status) => ({ task_id: status, review_status: status })),
    ]);
    await expect(store.attempts.record({ taskId: 'a', reviewStatus: 'fine' } as unknown as AttemptEntry)).rejects.toMatchObject({ code: 'invalid_options' });
  });

  it('keep at most 2 KB of the findings, never half a character (P4-17)', async () => {
    const { store, raw } = storeWithRaw();
    await store.attempts.record({ taskId: 'a', reviewFindings: `x${'😀'.repeat(1000)}` });
    const [row] = raw('SELECT review_findings AS text, length(CAST(review_findings AS BLOB)) AS bytes FROM attempts') as { text: string; bytes: number }[];
    expect(row).toEqual({ text: `x${'😀'.repeat(511)}`, bytes: 2045 });
    await store.attempts.record({ taskId: 'b' });
    expect(raw("SELECT review_findings FROM attempts WHERE task_id = 'b'")).toEqual([{ review_findings: null }]);
  });

  it('keep what the machine said beside what the person decided (D002-05)', async () => {
    const { store, raw } = storeWithRaw();
    const { attempt } = await store.attempts.record({ taskId: 'a', machineVerdict: 'failed', reviewStatus: 'failed', reviewFindings: 'no error handling', reviewIssues: 2 });
    await store.attempts.record({ taskId: 'a', attempt, reviewStatus: 'passed', humanDecision: 'approve', humanBy: 'ann', humanReason: 'read it' });
    expect(raw('SELECT machine_verdict, human_decision, review_status, review_findings FROM attempts')).toEqual([
      { machine_verdict: 'failed', human_decision: 'approve', review_status: 'passed', review_findings: 'no error handling' },
    ]);
  });

  it('tell a review that a person skipped from one that did not run (D002-06)', async () => {
    const { store, raw } = storeWithRaw();
    await store.attempts.record({ taskId: 'person', machineVerdict: 'failed', humanDecision: 'skip', reviewStatus: 'skipped' });
    await store.attempts.record({ taskId: 'timeout', machineVerdict: 'not_run', reviewStatus: 'not_run' });
    expect(raw("SELECT task_id FROM attempts WHERE human_decision = 'skip'")).toEqual([{ task_id: 'person' }]);
    expect(raw("SELECT task_id FROM attempts WHERE machine_verdict = 'not_run'")).toEqual([{ task_id: 'timeout' }]);
  });

  it('have NULL for what is not known, never 0, and give everything back that was recorded', async () => {
    const { store, raw } = storeWithRaw();
    const whole = { taskId: 'a', runId: 'r', status: 'success', errorCode: 'X', startedAt: 5, durationMs: 6, reviewDurationMs: 7, reviewIssues: 0, usage: { inputTokens: 10, costUsd: 0.5 } };
    const { at, ...recorded } = await store.attempts.record(whole);
    expect(at).toBeGreaterThan(0);
    expect(recorded).toEqual({ ...whole, attempt: 1 });
    expect(raw('SELECT input_tokens, output_tokens, cost_usd FROM attempts')).toEqual([{ input_tokens: 10, output_tokens: null, cost_usd: 0.5 }]);
  });

  it.each([
    [{}],
    [{ taskId: '' }],
    [{ taskId: 'a\u0000b' }],
    [{ taskId: 'a', attempt: 0 }],
    [{ taskId: 'a', attempt: 1.5 }],
    [{ taskId: 'a', durationMs: -1 }],
    [{ taskId: 'a', tries: 1 }],
    [{ taskId: 'a', usage: { costUsd: -1 } }],
    [null],
  ])('refuse %j', async (entry) => {
    const { store } = storeWithRaw();
    await expect(store.attempts.record(entry as unknown as AttemptEntry)).rejects.toMatchObject({ code: 'invalid_options' });
  });

  it('take hostile texts as they are, but for what no database takes', async () => {
    const { store } = storeWithRaw();
    const error = "'); DROP TABLE attempts; -- \u0000 \ud800 😀";
    await store.attempts.record({ taskId: 'it\'s "quoted" 🙂', error });
    expect(await store.attempts.last('it\'s "quoted" 🙂')).toMatchObject({ error: "'); DROP TABLE attempts; -- \ufffd \ufffd 😀" });
  });
});

describe('the head of a text', () => {
  it('is a beginning of it within the bytes, well formed, and no character shorter than needed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.integer({ min: 0, max: 80 }), (given, most) => {
        const text = given.replaceAll('\u0000', '');
        const head = headOf(text, most);
        expect(text.startsWith(head)).toBe(true);
        expect(Buffer.byteLength(head)).toBeLessThanOrEqual(most);
        const [next = ''] = text.slice(head.length);
        if (next !== '') expect(Buffer.byteLength(head + next)).toBeGreaterThan(most);
      }),
    );
  });
});
