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
    fix:
      'Pass at least one entry in `criteria` or `reviewers`: ' +
      'a pipeline that judges nothing would approve everything.',
  },
  provider_missing: {
    kind: 'usage',
    fix: 'Pass `provider` to the block or to the pipeline.',
  },
  peer_missing: { kind: 'usage', fix: 'Install the package that the message names.' },
  task_invalid: { kind: 'input', fix: 'Pass a task that the `task` schema accepts.' },
  output_invalid: { kind: 'input', fix: 'Pass an output that the `output` schema accepts.' },
  no_produce: {
    kind: 'bug',
    fix: 'Give the pipeline a `produce` function, or call `review(task, output)` on an output you already have.',
  },
  not_json: {
    kind: 'bug',
    fix:
      'Use plain JSON data: null, booleans, finite numbers, strings, arrays and plain objects. ' +
      'Convert dates, maps and class instances first.',
  },
  run_conflict: {
    kind: 'environment',
    fix: 'Use another runId, or pass the task that this run was started with.',
  },
  run_busy: { kind: 'environment', fix: 'Await the run in progress under this runId.' },
  run_unknown: { kind: 'usage', fix: 'Pass the runId of a run in this store.' },
  // what a person answered
  request_unknown: {
    kind: 'usage',
    fix: 'Answer one of the requests in the suspended outcome.',
  },
  request_answered: {
    kind: 'usage',
    fix: 'Read the outcome of the earlier answer: each request can be answered once.',
  },
  request_expired: {
    kind: 'usage',
    fix: 'Start a new run: an expired question never counts as an answer.',
  },
  request_stale: {
    kind: 'usage',
    fix: 'Answer the current version: take runId, id and digest from the newest suspended outcome.',
  },
  override_stale: {
    kind: 'usage',
    fix: 'Nothing was decided. Override the version that the run ended with, `outcome.version`.',
  },
  answer_not_allowed: {
    kind: 'usage',
    fix: 'Give one of the kinds of answer that the request allows.',
  },
  answer_invalid: {
    kind: 'usage',
    fix: 'Pass an answer of the documented shape, with `by`, and with the text its kind needs.',
  },
  reason_required: {
    kind: 'usage',
    fix: 'Give a reason: accepting a version that reviewers did not approve requires one.',
  },
  ask_needs_run: {
    kind: 'bug',
    fix: 'Call `run` instead of `review`: only a run can wait for a person.',
  },
  // what the caller's functions did
  produce_failed: { kind: 'bug', fix: 'Read the cause: `produce` threw or rejected.' },
  produce_invalid: {
    kind: 'bug',
    fix: 'Return the output from `produce`: JSON data that the `output` schema accepts.',
  },
  address_failed: {
    kind: 'bug',
    fix: 'Read the cause: `address` threw or rejected. The best version so far is in `outcome.output`.',
  },
  address_invalid: {
    kind: 'bug',
    fix: 'Return the whole improved output from `address`, of the same kind as the one it received.',
  },
  fix_failed: {
    kind: 'bug',
    fix:
      'Read the cause: a fixer threw, or returned something other than the output. ' +
      'The gap went to `address` instead.',
  },
  scope_failed: { kind: 'bug', fix: 'Make `scope` a pure function from the output to JSON data.' },
  policy_failed: {
    kind: 'bug',
    fix: 'Read the cause: the policy or the ranking threw. Both must be pure functions.',
  },
  // what judges did
  criterion_threw: {
    kind: 'judge',
    fix: 'Read the cause: the criterion threw instead of returning a verdict.',
  },
  criterion_invalid: {
    kind: 'judge',
    fix: 'Return true, false, a feedback text, or { passed, score from 0 to 1, details }.',
  },
  criterion_contradiction: {
    kind: 'judge',
    fix: 'Let `passed` follow from the score: a passed criterion scores above 0.',
  },
  criterion_mutated: {
    kind: 'judge',
    fix: 'Copy before changing: a criterion receives a frozen view of the output.',
  },
  reviewer_threw: {
    kind: 'judge',
    fix: 'Read the cause: the reviewer threw instead of returning assessments.',
  },
  reviewer_invalid: {
    kind: 'judge',
    fix: 'Return at least one assessment { verdict, criterion, ... } per review, as the Assessment type says.',
  },
  decision_unknown: {
    kind: 'usage',
    fix: 'Decide only what is undecided; `requests[].undecided` and `reviewloop show` list it.',
  },
  decision_stale: {
    kind: 'usage',
    fix: 'Pass the digest of the version whose review has undecided criteria, `outcome.version`.',
  },
  reviewer_undecided: {
    kind: 'judge',
    fix: 'Read the reason: a judge could not tell. Give it what it needs, or let a person decide.',
  },
  quorum_missed: {
    kind: 'judge',
    fix:
      'Read the causes: too few judges of a panel gave a verdict. ' +
      'Run again when they are available, or lower its `quorum`.',
  },
  judge_failed: {
    kind: 'judge',
    fix: 'Read the errored assessments; run again when the judge is available.',
  },
  // limits
  event_loop_blocked: {
    kind: 'bug',
    fix:
      'Make the call asynchronous, or move the work into a child process: ' +
      'the call blocked all other work.',
  },
  timeout: {
    kind: 'environment',
    fix:
      'Raise the timeout, or make the call faster. ' +
      'Pass the given AbortSignal on, so that the work stops.',
  },
  run_timed_out: {
    kind: 'environment',
    fix: 'Raise `budget.timeoutMs`. The best reviewed version is in `outcome.output`.',
  },
  cancelled: {
    kind: 'environment',
    fix: 'The caller aborted the `signal` of the run. Run again to continue.',
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
  verdict_corrupt: {
    kind: 'environment',
    fix:
      'Nothing is lost: the engine asks the reviewer again and replaces the entry. ' +
      'If the error returns, check the disk and other programs that write to the cache.',
  },
  verdict_newer: {
    kind: 'environment',
    fix: 'Nothing is lost: the engine asks the reviewer again. Give each version of reviewloop its own cache.',
  },
  verdict_unavailable: {
    kind: 'environment',
    fix:
      'Check that the verdict cache is readable and writable (space, permissions). ' +
      'Until then the engine asks every reviewer.',
  },
  workspace_busy: {
    kind: 'environment',
    fix:
      'Wait for the other run, or give each run its own workspace: ' +
      'two runs in one workspace would undo the changes of each other.',
  },
  workspace_failed: {
    kind: 'environment',
    fix:
      'Read the cause. The best version is in `outcome.output`, ' +
      'but the workspace may contain something else. Run again with the same runId.',
  },
  audit_unwritable: {
    kind: 'environment',
    fix: 'Nothing was decided. Check that the audit log is writable, then answer again.',
  },
});

/** A code that the engine, its ports, policies and reviewers report. */
export type CoreErrorCode = keyof typeof coreErrors;
