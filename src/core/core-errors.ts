import { errorTable } from './error-table.js';

/** The errors of runs, reviews and their options. */
export const coreErrors = /* @__PURE__ */ errorTable({
  // what the caller passed
  invalid_options: { kind: 'usage', fix: 'Correct the option that the message names.' },
  duplicate_id: {
    kind: 'usage',
    fix: 'Give each reviewer and criterion of a pipeline its own id.',
  },
  no_reviewers: {
    kind: 'usage',
    fix: 'Pass at least one entry in `criteria` or `reviewers`.',
  },
  provider_missing: {
    kind: 'usage',
    fix: 'Pass `provider` to the block or to the pipeline.',
  },
  task_invalid: { kind: 'input', fix: 'Pass a task that the `task` schema accepts.' },
  no_produce: {
    kind: 'bug',
    fix: 'Give the pipeline a `produce` function, or call `review(task, output)`.',
  },
  not_json: {
    kind: 'bug',
    fix: 'Use plain JSON data. Convert dates, maps and class instances first.',
  },
  run_conflict: {
    kind: 'environment',
    fix: 'Use another runId, or pass the task that this run was started with.',
  },
  run_busy: { kind: 'environment', fix: 'Await the run in progress under this runId.' },
  // what the caller's functions did
  scope_failed: { kind: 'bug', fix: 'Make `scope` a pure function from the output to JSON data.' },
  policy_failed: {
    kind: 'bug',
    fix: 'Read the cause: the policy or ranking threw. Both must be pure functions.',
  },
  // what judges did
  criterion_contradiction: {
    kind: 'judge',
    fix: 'Let `passed` follow from the score: a passed criterion scores above 0.',
  },
  reviewer_threw: { kind: 'judge', fix: 'Read the cause: the reviewer threw.' },
  // limits
  event_loop_blocked: { kind: 'bug', fix: 'Make the call async, or use a child process.' },
  timeout: {
    kind: 'environment',
    fix: 'Raise the timeout, or make the call faster. Pass the given AbortSignal on.',
  },
  run_timed_out: {
    kind: 'environment',
    fix: 'Raise `budget.timeoutMs`. The best reviewed version is in `outcome.output`.',
  },
  cancelled: {
    kind: 'environment',
    fix: 'Run it again to continue: it was stopped from outside.',
  },
  budget_exceeded: {
    kind: 'environment',
    fix:
      'Raise the budget, or lower the number of iterations. ' +
      'The best reviewed version is in `outcome.output`.',
  },
  // steps and records
  step_reused: {
    kind: 'bug',
    fix: 'Give each step of a reviewer, of `produce` and of `address` its own name.',
  },
  step_nested: {
    kind: 'bug',
    fix: 'Call steps one after another or side by side, never a step or an ask from inside a step.',
  },
  step_invalid: { kind: 'bug', fix: 'Return a JSON value from the step that its schema accepts.' },
  journal_write_failed: {
    kind: 'environment',
    fix: 'Check that the store is writable (space, permissions), then run again with the same runId.',
  },
  port_failed: {
    kind: 'environment',
    fix: 'Read the cause: the store, clock, limiter or another port of the pipeline failed.',
  },
});

export type CoreErrorCode = keyof typeof coreErrors;
