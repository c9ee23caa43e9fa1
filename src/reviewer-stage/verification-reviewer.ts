import { defaultEffort } from '../core/criterion.js';
import type { Gap } from '../core/gap.js';
import type { Reviewer } from '../core/reviewer.js';
import type { CompletedWork } from './completed-work.js';
import { nothingToReview } from './nothing-to-review.js';

/** The criterion that reports failed verifications. */
const verificationId = 'verification';

/**
 * Creates the reviewer that fails work with a failed verification. Without a verification, or
 * without a change, it says nothing.
 */
export function verificationReviewer(): Reviewer<unknown, CompletedWork> {
  return {
    id: verificationId,
    version: '2',
    tier: 'code',
    review: async ({ output }) => {
      const { verificationResults } = output;
      const failed = verificationResults.filter(({ passed }) => !passed);
      const about = { criterion: verificationId, category: 'incorrect' } as const;
      if (failed.length > 0)
        return [
          {
            ...about,
            verdict: 'fail',
            score: 0,
            explanation: `failed: ${failed.map(({ name }) => name).join(', ')}`,
            gaps: failed.map(gapOf),
          },
        ];
      const nothing =
        nothingToReview(output) ??
        (verificationResults.length === 0 ? 'nothing was verified' : undefined);
      return nothing === undefined
        ? [{ ...about, verdict: 'pass', score: 1, explanation: 'all checks passed', gaps: [] }]
        : [{ verdict: 'skipped', criterion: verificationId, reason: nothing }];
    },
  };
}

function gapOf({ name, details }: CompletedWork['verificationResults'][number]): Gap {
  return {
    id: '',
    severity: 'critical',
    category: 'incorrect',
    description: `the verification ${name} failed`,
    suggestedFix: `Make ${name} pass${details === undefined || details.trim() === '' ? '' : `: ${details.trim().slice(-500)}`}`,
    estimatedEffort: defaultEffort,
    autoFixable: true,
    criterionId: verificationId,
    raisedBy: verificationId,
  };
}
