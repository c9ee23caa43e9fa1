import { errorTable } from '../core/error-table.js';

/** The errors of `produce`, `address`, fixers, custom policies, and of what people answer and decide. */
export const engineErrors = /* @__PURE__ */ errorTable({
  policy_invalid: {
    kind: 'bug',
    fix: 'Return a decision with its members, as the Decision type says, or undefined.',
  },
  request_expired: {
    kind: 'usage',
    fix: 'Start a new run: an expired question never counts as an answer.',
  },
  override_stale: {
    kind: 'usage',
    fix: 'Nothing was decided. Override the version that the run ended with, `outcome.version`.',
  },
  answer_not_allowed: {
    kind: 'usage',
    fix: 'Give one of the kinds of answer that the request allows.',
  },
  approval_open: {
    kind: 'usage',
    fix: 'Say yes to every must-have, or leave out `approve`.',
  },
  decision_unknown: {
    kind: 'usage',
    fix: 'Decide only what is undecided; `requests[].undecided` and `reviewloop runs ID` list it.',
  },
  decision_stale: {
    kind: 'usage',
    fix: 'Pass the digest of the version whose review has undecided criteria, `outcome.version`.',
  },
  ask_needs_run: {
    kind: 'bug',
    fix:
      'Call `run` instead of `review`, and declare the context as a parameter: only a recorded run ' +
      'can wait for a person.',
  },
  suspended: {
    kind: 'environment',
    fix: 'Answer the questions of the run: then the work runs again from the top.',
  },
  released: {
    kind: 'environment',
    fix: 'Nothing is lost. Call `resume` with the same runId, in this process or another one.',
  },
  agent_interrupted: {
    kind: 'bug',
    fix:
      'Use the adapter of the framework, or ask in its place, so that the pause becomes a question ' +
      'of the run. A framework around the run continues it under the same run id.',
  },
  no_version: {
    kind: 'usage',
    fix: 'Answer the questions of the run first: only a version can be overridden.',
  },
  fix_failed: {
    kind: 'bug',
    fix:
      'Read the cause: a fixer threw, or returned something other than the output. ' +
      'The gap went to `address` instead.',
  },
  run_unknown: { kind: 'usage', fix: 'Pass the runId of a run in this store.' },
  request_unknown: {
    kind: 'usage',
    fix: 'Answer one of the requests in the suspended outcome.',
  },
  request_answered: {
    kind: 'usage',
    fix: 'Read the outcome of the earlier answer: each request can be answered once.',
  },
  request_stale: {
    kind: 'usage',
    fix: 'Answer the current version: take runId, id and digest from the newest suspended outcome.',
  },
  answer_invalid: {
    kind: 'usage',
    fix: 'Pass an answer of the documented shape, with `by`, and with the text its kind needs.',
  },
  reason_required: {
    kind: 'usage',
    fix: 'Give a reason: accepting a version that reviewers did not approve requires one.',
  },
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
  output_invalid: { kind: 'input', fix: 'Pass an output that the `output` schema accepts.' },
});
