import type { TaskAttempt } from '@/ports/attempt-store.js';

/** An attempt at a task of which little is known. */
export function taskAttempt(more: Partial<TaskAttempt> = {}): TaskAttempt {
  return {
    taskId: 'TASK-001',
    runId: 'r1',
    attempt: 1,
    status: 'failed',
    reviewStatus: null,
    reviewFindings: null,
    machineVerdict: null,
    humanDecision: null,
    decidedBy: null,
    decisionReason: null,
    issues: null,
    error: null,
    errorCode: null,
    reviewUsage: {},
    reviewDurationMs: null,
    at: '2026-01-01T00:00:00.000Z',
    ...more,
  };
}
