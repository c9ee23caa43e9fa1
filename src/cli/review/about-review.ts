import { reportRequirements } from './report-requirements.js';
import type { PreparedReview } from './review-settings.js';

/** Returns what a report says about the inputs of a review. */
export function aboutReview({ task, requirements, criteria, inputs }: PreparedReview) {
  const files = inputs.sources.map(({ path, bytes, artifact }) => ({
    path,
    type: artifact.type,
    bytes,
  }));
  return {
    task: { source: task.source },
    ...(requirements && { requirements: reportRequirements(requirements, task) }),
    criteria: {
      chosen: [...criteria.chosen],
      reason: criteria.reason,
      ...(criteria.why.length > 0 && { why: [...criteria.why] }),
      names: { ...criteria.names },
    },
    files,
    notReviewed: [...inputs.notReviewed],
  };
}
