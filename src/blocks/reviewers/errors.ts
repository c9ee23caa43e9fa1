import { errorTable } from '../../core/error-table.js';
import { type KnownError, messageOf, ReviewLoopError } from '../../core/errors.js';

/** The errors of criteria, and of reviewers that ask several judges. */
export const reviewerErrors = /* @__PURE__ */ errorTable({
  quorum_missed: {
    kind: 'judge',
    fix:
      'Read the causes: too few judges of a panel gave a verdict. ' +
      'Run again when they are available, or lower its `quorum`.',
  },
  reviewer_undecided: {
    kind: 'judge',
    fix: 'Read the reason: a judge could not tell. Give it what it needs, or let a person decide.',
  },
  criterion_threw: {
    kind: 'judge',
    fix: 'Read the cause: the criterion threw instead of returning a verdict.',
  },
  criterion_invalid: {
    kind: 'judge',
    fix: 'Return true, false, a feedback text, or { passed, score from 0 to 1, details }.',
  },
  report_unclear: {
    kind: 'judge',
    fix:
      'Let the command write a whole report (`report`), or raise `maxOutputBytes`. With ' +
      "`parse: 'none'` only its exit code decides.",
  },
  criterion_mutated: {
    kind: 'judge',
    fix: 'Copy before changing: a criterion receives a frozen view of the output.',
  },
});

/** An error of this library stays as it is. */
export function thrownBy(
  id: string,
  cause: unknown,
  error: KnownError = 'reviewer_threw',
  retryable = true,
): ReviewLoopError {
  if (cause instanceof ReviewLoopError) return cause;
  return new ReviewLoopError(error, `${id} threw: ${messageOf(cause)}`, { cause, retryable });
}
