/**
 * Every code a reviewloop error can carry, with the way to fix it. Codes are API (docs/stability.md);
 * docs/errors.md is generated from this table.
 */
export const errorCodes = {
  // what the caller passed
  invalid_options: 'Correct the option that the message names.',
  duplicate_id: 'Give every reviewer and criterion of one pipeline an id of its own.',
  no_reviewers:
    'Pass at least one entry in `criteria` or `reviewers`: a pipeline that judges nothing would approve everything.',
  no_produce:
    'Give the pipeline a `produce` function, or call `review(task, output)` on an output you already have.',
  not_json:
    'Use plain JSON data: null, booleans, finite numbers, strings, arrays and plain objects. Convert dates, maps and class instances first.',
  task_invalid: 'Pass a task that the `task` schema accepts.',
  output_invalid: 'Pass an output that the `output` schema accepts.',
  run_conflict: 'Use another runId, or pass the task that this run was started with.',
  run_busy: 'Await the run that is already in progress under this runId.',
  run_unknown: 'Pass the runId of a run that this store holds.',
  // what a person answered
  request_unknown: 'Answer one of the requests in the suspended outcome; each is answered once.',
  request_expired: 'Start a new run: a question that has expired is never taken for an answer.',
  request_stale:
    'Answer the current version: take runId, id and digest from the newest suspended outcome.',
  override_stale:
    'Nothing was decided. Override the version that the run ended with, `outcome.version`.',
  answer_not_allowed: 'Give one of the kinds of answer that the request allows.',
  answer_invalid:
    'Pass an answer of the documented shape, with `by`, and with the text its kind needs.',
  reason_required: 'Give a reason: what reviewers did not approve goes through only with one.',
  ask_needs_run: 'Call `run` instead of `review`: only a run can wait for a person.',
  // what the user\'s functions did
  produce_failed: 'Read the cause: `produce` threw or rejected.',
  produce_invalid: 'Return the output from `produce`: JSON data that the `output` schema accepts.',
  address_failed:
    'Read the cause: `address` threw or rejected. The best version so far is in `outcome.output`.',
  address_invalid:
    'Return the whole improved output from `address`, of the same kind as the one it received.',
  fix_failed:
    'Read the cause: a fixer threw or returned something else than the output. The gap went to `address` instead.',
  // what judges did
  criterion_threw: 'Read the cause: the criterion threw instead of returning a verdict.',
  criterion_invalid:
    'Return true, false, a feedback text, or { passed, score from 0 to 1, details }.',
  criterion_contradiction: 'Let `passed` follow from the score: a passed criterion scores above 0.',
  criterion_mutated: 'Copy before changing: a criterion receives a frozen view of the output.',
  reviewer_threw: 'Read the cause: the reviewer threw instead of returning assessments.',
  reviewer_invalid:
    'Return at least one assessment { verdict, criterion, ... } per review, as the Assessment type says.',
  scope_failed: 'Make `scope` a pure function from the output to JSON data.',
  quorum_missed:
    'Read the causes: too few judges of a panel gave a verdict. Run again when they are available, or lower its `quorum`.',
  judge_failed: 'Read the errored assessments; run again when the judge is available.',
  policy_failed: 'Read the cause: the policy or the ranking threw. Both must be pure functions.',
  review_not_run:
    'Nobody reviewed the code, which is no approval: run again when the reviewer answers, or let a person decide.',
  review_broken:
    'The review broke or contradicts itself, which is no approval: read the message, mend the reviewer, run again.',
  // calibration
  labels_invalid:
    'Correct the lines that the message names: each is an object of JSON with `task`, `output`, and `label` as "pass" or "fail".',
  // limits
  event_loop_blocked:
    'Make the call asynchronous, or move the work into a child process: nothing else could run meanwhile.',
  timeout:
    'Raise the timeout, or make the call faster; pass the given AbortSignal on so that the work really stops.',
  run_timed_out: 'Raise `budget.timeoutMs`. The best reviewed version is in `outcome.output`.',
  cancelled: 'The signal that was passed to the run was aborted.',
  budget_exceeded:
    'Raise the budget, or lower the number of iterations. The best reviewed version is in `outcome.output`.',
  // steps and journal
  step_reused: 'Give every step of a reviewer, of produce and of address a name of its own.',
  step_nested:
    'Call steps one after another or side by side, never a step or an ask from inside a step.',
  step_invalid: 'Return a JSON value from the step that its schema accepts.',
  journal_write_failed:
    'Check that the store can be written to (space, permissions), then run again with the same runId.',
  journal_corrupt:
    'Nothing was changed. Restore the file from a copy, or move it away to start the run again.',
  journal_newer: 'Install a version of reviewloop that knows this journal; nothing was changed.',
  journal_fenced:
    'Another process has taken the run over while this one was silent; go on there, or run again with the same runId.',
  store_busy:
    'Another process holds the database. Run again; where that is not enough, raise `busyTimeoutMs`, or end what keeps a transaction open.',
  store_foreign: 'Nothing was changed. Give reviewloop a database file of its own.',
  // workspaces
  workspace_busy:
    'Wait for the other run, or give every run a workspace of its own: two runs in one would undo each other.',
  workspace_failed:
    'Read the cause. The best version is in `outcome.output`, but the workspace may hold something else; run again with the same runId.',
  workspace_changed:
    'Stop what writes into the folder, or put it into `ignore`: a state that changes while it is read cannot be kept.',
  workspace_unreadable:
    'Remove what the message names, make it readable, or put it into `ignore`: only files, folders and symbolic links can be kept.',
  workspace_missing:
    'Pass a digest that `snapshot` of this workspace gave and that was not pruned; nothing was changed.',
  workspace_damaged:
    'What was kept is incomplete or not what was written; nothing was changed. Restore the store of the workspace from a copy, or start a new run.',
  // verdicts kept over runs
  verdict_corrupt:
    'Nothing is lost: the reviewer is asked again and the entry is replaced. If it comes back, check the disk, or whatever else changes files of the cache.',
  verdict_newer:
    'Nothing is lost: the reviewer is asked again. Give every version of reviewloop a cache of its own.',
  verdict_unavailable:
    'Check that the cache of verdicts can be read and written (space, permissions); until then reviewers are asked as if there were none.',
  // checklists
  checklist_missing:
    'Decompose the phase first. A state that has vanished is never made anew in silence: find out where it went.',
  checklist_corrupt:
    'Nothing was changed. Restore the state file from a copy, or move it away to decompose the phase again.',
  checklist_newer: 'Install a version of reviewloop that knows this schema; nothing was changed.',
  checklist_unavailable:
    'Check that the state directory can be read and written (space, permissions) and that no process holds its lock for good.',
  checklist_empty:
    'Decompose into at least one item, or set `allowEmpty`: a gate without items would approve everything.',
  checklist_item_unknown: 'Name an item of this phase; `reviewloop checklist list` shows them.',
  checklist_item_invalid:
    'Correct the item that the message names: a scope on one line, and a check.',
  checklist_transition:
    'Only verifiers write PASS or FAIL, FAIL needs a finding, and PASS is final until what it is about changes.',
  checklist_not_escalated:
    'Fix what failed and verify again: failures can be accepted only once the gate has asked a person.',
  // models
  provider_missing: 'Name a provider for the block, or pass `provider` to the pipeline.',
  provider_unauthorized: 'Check the key of the provider and what it may do.',
  provider_refused_request:
    'Read the message of the provider: the request itself was refused, for example for its size, model or schema.',
  provider_rate_limited:
    'Wait as long as the provider asks, lower the concurrency, or set a rate limit.',
  provider_unavailable: 'Check the address of the provider and the network, or try again later.',
  provider_timeout: 'Raise the timeout of the provider, or ask for less.',
  provider_malformed:
    'The provider answered something that is not its protocol; check its address, or try again.',
  schema_unsupported:
    'Use what every service can express: objects with named members, lists, texts, numbers, booleans, and optional members; no records, tuples or values of any kind.',
  view_truncated:
    'Narrow the `scope`, raise `maxPromptTokens`, or set `allowTruncated`: what a judge did not see whole is not judged.',
  replay_missing: 'Record the cassette again: it holds no answer to this question.',
  answer_truncated:
    'Raise `maxOutputTokens`: the answer of the model was cut off, and nothing is read out of half an answer.',
  answer_filtered:
    'A content filter of the provider stopped the answer; review the text in question by hand.',
  answer_refused: 'The model refused to answer; rephrase the prompt, or use another model.',
  answer_empty: 'The model answered with nothing; try again, or use another model.',
  answer_degenerate: 'The model repeated itself without end; try again, or use another model.',
  answer_unreadable: 'The model did not answer with JSON; read the raw answer in `value`.',
  answer_ambiguous:
    'The model gave several different answers, so none is taken; read the raw answer in `value`.',
  answer_mismatch:
    'The JSON of the model does not have the asked shape; read the raw answer in `value`.',
  // system
  process_not_found: 'Install the command, or give its full path.',
  process_failed: 'Read the exit code and the end of the output.',
  process_timeout: 'Raise the timeout of the command.',
  // diffs
  diff_unreadable: 'Pass a whole diff in the format of git, or of `diff -u`.',
  diff_too_large: 'Diff a shorter range, or fewer paths.',
  not_a_repository: 'Name a folder that git keeps, with files checked out; `git init` makes one.',
  revision_unknown:
    'Name commits, tags or branches that this repository has; fetch them first where the clone is shallow.',
  git_locked:
    'Wait for the other git; where none runs, remove the lock file that the message names.',
  git_failed: 'Read what git said; run the same command by hand.',
  // people and audit
  notify_failed:
    'Check the address and what it answers. The run stays suspended, and its question can be answered.',
  audit_unwritable:
    'Nothing was decided. Check that the file of the audit log can be written to, then answer again.',
  audit_corrupt:
    'Nothing was written. Run `reviewloop audit verify`, find out who changed the log, and move it away to start a new one.',
  // the quality gate
  gate_no_runner:
    'Pass `cli` or `provider` to the QualityGate, or use `buildReviewInstructionsFile` for self-review.',
  gate_review_failed:
    'Read the cause: the reviewer gave no verdict. The gate stays closed until one does.',
  gate_result_invalid:
    'Answer with an object: `passed` true or false, `feedback` a text, `criteria_results` a list of { criterion, passed, feedback }.',
  gate_output_invalid:
    'Declare the output in the step, and give what its type asks for: one path for `file`, a list of paths for `files`, a text for `string`.',
  gate_attempts_used:
    'Raise `maxAttempts`, or let the step through with a reason, which is recorded.',
  gate_step_unknown: 'Name a step that the job holds.',
  gate_verdict_refused:
    'Read the instructions of the step again, review what it holds now, and submit the verdict with the hash and the token that stand there.',
  gate_state_invalid:
    'Nothing was changed. Restore the state of the gate from a copy, or start the job under another session id.',
  path_outside:
    'Keep outputs inside the root, or set `allowOutside` where the paths can be trusted.',
  // task lists
  tasks_invalid: 'Correct the task list at the line that the message names.',
  task_unknown: 'Name a task that the list has.',
  task_cycle:
    'Take out one of the dependencies that the message names: none of these tasks could ever begin.',
  // command line
  usage: 'See `reviewloop --help`.',
  task_missing: 'Pass --task FILE with the text of the task.',
  task_empty: 'Write what was asked into the task file.',
  no_artifacts: 'Pass files, folders or globs that hold at least one readable text file.',
  file_unreadable: 'Check that the file exists and can be read.',
  file_too_large: 'Leave the file out, or raise --max-file-size.',
  too_many_files: 'Pass fewer files, or raise --max-files.',
  config_invalid: 'Correct the configuration file at the line that the message names.',
  config_unreadable: 'Check the path given with --config, and that the file can be loaded.',
  file_changed: 'Run again: the review was of what the file held before.',
  already_exists: 'Edit what is there, or remove it first.',
  output_unwritable: 'Check that the folder exists, is a folder, is writable and has space.',
  peer_missing: 'Install the package that the message names.',
} as const;

/** A code of this library; users' own errors may carry others. */
export type ErrorCode = keyof typeof errorCodes;
