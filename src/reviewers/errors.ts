import { errorTable } from '../core/error-table.js';

/** The errors of reviewers that ask several judges. */
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
});
