import { errorTable } from '../../core/error-table.js';

/** The errors of scorers as criteria, and of pipelines as scorers. */
export const scorerErrors = /* @__PURE__ */ errorTable({
  scorer_threw: {
    kind: 'judge',
    fix: 'Read the cause: the scorer threw or reported an error instead of returning a score.',
  },
  scorer_invalid: {
    kind: 'judge',
    fix:
      'Return { score } from 0 to 1, true, false or null, or a list of { key, score }. ' +
      'Divide other scales in a function around the scorer.',
  },
  nobody_could_tell: {
    kind: 'judge',
    fix: 'Read the reason: no reviewer approved or refused the output, so it has no score.',
  },
});
