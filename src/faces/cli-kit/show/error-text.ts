import { messageOf, ReviewLoopError } from '../../../core/errors.js';
import type { Outcome } from '../../../core/outcome.js';

const advice: Readonly<Record<string, string>> = {
  timeout: 'Raise the time limit of reviewers, or let them do less.',
  no_reviewers: 'Pass --criteria, or set `criteria` in the configuration.',
  provider_missing: 'Pass --provider, or set it in the configuration.',
  task_invalid: 'Correct the task that the message names.',
  output_invalid: 'Correct the file that the message names.',
  override_stale: 'Nothing was decided. Run `reviewloop runs` and override the newest version.',
  decision_stale: 'Nothing was decided. Run `reviewloop runs` and decide about the newest version.',
  answer_invalid: 'Pass --by, and --reason if the answer needs one.',
  decision_unknown: 'Decide only what is undecided; `reviewloop runs ID` lists it.',
  run_timed_out: 'Raise the time limit of the run in the configuration.',
  cancelled: 'Run the command again to continue.',
  budget_exceeded: 'Raise the budget, or let the command do less.',
  quorum_missed: 'Read the causes and run again when the judges are available.',
  workspace_failed: 'Read the cause and run the command again: it continues.',
  workspace_changed: 'Stop the program that writes into the folder, and run the command again.',
  workspace_unreadable: 'Remove the path in the message, or make it readable.',
  workspace_missing: 'Nothing was changed. Start the run again: its snapshot was removed.',
  report_unclear:
    'Let the command print a whole report, or set `parse` of the command to `none` in the ' +
    'configuration: then only its exit code decides.',
  view_truncated:
    'Review fewer or smaller files, or raise --context-tokens for a model of Ollama: a judge must ' +
    'see everything that it judges.',
  answer_truncated: 'Review less at once, or use a model with longer answers.',
  answer_unreadable: 'Run again, or use a model with structured output: it answered without JSON.',
  answer_ambiguous: 'Run again, or use another model: it gave several different answers.',
  answer_mismatch: 'Run again, or use a model with structured output.',
  store_busy: 'Run again when the database answers.',
  browser_missing:
    'Install Chromium, for example with `apt-get install chromium fonts-liberation`, or name its ' +
    'program in the environment variable REVIEWLOOP_CHROMIUM.',
  browser_failed: 'Read the cause, and raise the time limit of pages in the configuration.',
  path_outside: 'Move the outputs inside --root.',
  checklist_empty:
    'Decompose into at least one item: a gate without items would approve everything.',
  gate_files_unseen: 'Raise --max-inline-files, or pass --cli: Claude Code reads files itself.',
  gate_no_runner: 'Pass --provider or --cli, or use --mode self.',
  gate_attempts_used: 'Accept the step with a reason, which is recorded, or use another --session.',
};

export function errorText(error: unknown): string {
  if (!(error instanceof ReviewLoopError))
    return error instanceof Error ? error.message : messageOf(error);
  const own = Object.hasOwn(advice, error.code) ? advice[error.code] : undefined;
  return own === undefined ? error.message : `${error.what.replace(/\.$/, '')}. ${own}`;
}

export function withAdvice<Output>(outcome: Outcome<Output>): Outcome<Output> {
  return outcome.error === undefined ? outcome : { ...outcome, reason: errorText(outcome.error) };
}
