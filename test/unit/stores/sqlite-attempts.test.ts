import { describe, expect, it } from 'vitest';
import { taskAttempt } from '../../support/task-attempt.js';
import { execute, storeWithRaw } from './sqlite-support.js';

describe('attempts in a database', () => {
  it('have a number over all runs of their task beside the one in their run', async () => {
    const { store, raw } = storeWithRaw();
    await store.attempts.record(taskAttempt({ runId: 'one' }));
    await store.attempts.record(taskAttempt({ runId: 'one', attempt: 2 }));
    await store.attempts.record(taskAttempt({ runId: 'two' }));
    await store.attempts.record(taskAttempt({ taskId: 'TASK-002' }));
    expect(
      raw('SELECT task_id, attempt, run_id, run_attempt FROM attempts ORDER BY task_id, attempt'),
    ).toEqual([
      { task_id: 'TASK-001', attempt: 1, run_id: 'one', run_attempt: 1 },
      { task_id: 'TASK-001', attempt: 2, run_id: 'one', run_attempt: 2 },
      { task_id: 'TASK-001', attempt: 3, run_id: 'two', run_attempt: 1 },
      { task_id: 'TASK-002', attempt: 1, run_id: 'r1', run_attempt: 1 },
    ]);
  });

  it('have a review_status of null, passed, fixed, failed, skipped or rejected, and of what is no verdict [P4-16]', async () => {
    const { store, raw } = storeWithRaw();
    await store.attempts.record(taskAttempt({ taskId: 'none' }));
    for (const reviewStatus of [
      'passed',
      'fixed',
      'failed',
      'skipped',
      'rejected',
      'not_run',
      'error',
    ] as const)
      await store.attempts.record(taskAttempt({ taskId: reviewStatus, reviewStatus }));
    expect(raw('SELECT task_id, review_status FROM attempts')).toEqual([
      { task_id: 'none', review_status: null },
      ...['passed', 'fixed', 'failed', 'skipped', 'rejected', 'not_run', 'error'].map((status) => ({
        task_id: status,
        review_status: status,
      })),
    ]);
  });

  it('keep at most 2 KB of the findings, never half a character [P4-17]', async () => {
    const { store, raw } = storeWithRaw();
    await store.attempts.record(taskAttempt({ reviewFindings: `x${'😀'.repeat(1000)}` }));
    expect(
      raw(
        'SELECT review_findings AS text, length(CAST(review_findings AS BLOB)) AS bytes FROM attempts',
      ),
    ).toEqual([{ text: `x${'😀'.repeat(511)}`, bytes: 2045 }]);
    await store.attempts.record(taskAttempt({ taskId: 'b' }));
    expect(raw("SELECT review_findings FROM attempts WHERE task_id = 'b'")).toEqual([
      { review_findings: null },
    ]);
  });

  it('keep what the machine said beside what the person decided [D002-05]', async () => {
    const { store, raw } = storeWithRaw();
    await store.attempts.record(
      taskAttempt({
        machineVerdict: 'failed',
        reviewStatus: 'passed',
        humanDecision: 'approve',
        decidedBy: 'ann',
        decisionReason: 'read it',
        reviewFindings: 'no error handling',
      }),
    );
    expect(
      raw(
        'SELECT machine_verdict, human_decision, human_by, human_reason, review_status, review_findings FROM attempts',
      ),
    ).toEqual([
      {
        machine_verdict: 'failed',
        human_decision: 'approve',
        human_by: 'ann',
        human_reason: 'read it',
        review_status: 'passed',
        review_findings: 'no error handling',
      },
    ]);
  });

  it('tell a review that a person skipped from one that did not run [D002-06]', async () => {
    const { store, raw } = storeWithRaw();
    await store.attempts.record(
      taskAttempt({
        taskId: 'person',
        machineVerdict: 'failed',
        humanDecision: 'skip',
        reviewStatus: 'skipped',
      }),
    );
    await store.attempts.record(
      taskAttempt({ taskId: 'timeout', machineVerdict: 'not_run', reviewStatus: 'not_run' }),
    );
    expect(raw("SELECT task_id FROM attempts WHERE human_decision = 'skip'")).toEqual([
      { task_id: 'person' },
    ]);
    expect(raw("SELECT task_id FROM attempts WHERE machine_verdict = 'not_run'")).toEqual([
      { task_id: 'timeout' },
    ]);
  });

  it('have NULL for what is not known, never 0', async () => {
    const { store, raw } = storeWithRaw();
    await store.attempts.record(
      taskAttempt({
        reviewUsage: { inputTokens: 10, costUsd: 0.5 },
        reviewDurationMs: 7,
        issues: 0,
      }),
    );
    expect(
      raw(
        'SELECT input_tokens, output_tokens, cost_usd, review_duration_ms, review_issues FROM attempts',
      ),
    ).toEqual([
      {
        input_tokens: 10,
        output_tokens: null,
        cost_usd: 0.5,
        review_duration_ms: 7,
        review_issues: 0,
      },
    ]);
  });

  it('take hostile texts as they are, but for what no database takes', async () => {
    const { store } = storeWithRaw();
    await store.attempts.record(
      taskAttempt({
        taskId: 'it\'s "quoted" 🙂',
        error: "'); DROP TABLE attempts; -- \u0000 \ud800 😀",
      }),
    );
    expect(await store.attempts.last('it\'s "quoted" 🙂')).toMatchObject({
      error: "'); DROP TABLE attempts; -- \ufffd \ufffd 😀",
    });
  });

  it('are read as failed where another program ended them in words of its own, and refused where they are damaged', async () => {
    const { file, store } = storeWithRaw();
    await store.attempts.record(taskAttempt());
    execute(file, "UPDATE attempts SET status = 'aborted', error = 'out of memory'");
    expect(await store.attempts.last('TASK-001')).toMatchObject({
      status: 'failed',
      error: 'out of memory',
    });
    for (const wrong of ["at = 'yesterday'", "review_status = 'fine'", 'run_attempt = 0']) {
      execute(file, `UPDATE attempts SET ${wrong}`);
      await expect(store.attempts.of('TASK-001'), wrong).rejects.toMatchObject({
        code: 'journal_corrupt',
      });
    }
  });
});
