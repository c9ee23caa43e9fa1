import { isOpen } from '../../core/gap.js';
import { invalid } from '../../core/options.js';
import type { Pipeline } from '../../pipeline/pipeline-options.js';
import { reviewScore } from '../../scorers/review-score.js';
import type { Checked } from '../check.js';

/** What `toPass` needs of a pipeline. */
export type ReviewingPipeline<Task, Output> = Pick<Pipeline<Task, Output>, 'review' | 'run'>;

/** Returns a pipeline as one check: it passes if the pipeline approves, and is undecided if nobody could tell. */
export function approvalOf<Task, Output>(
  pipeline: ReviewingPipeline<Task, Output>,
): Checked<Output, Task> & { readonly tier: 'model' } {
  return {
    id: 'pipeline',
    tier: 'model',
    validate: async (output, task, { signal }) => {
      const review = await pipeline.review(task, output, signal && { signal });
      const { metadata } = reviewScore(review, { name: 'pipeline', score: 'approval' });
      const { approved, overall, rationale } = metadata;
      if (approved === null)
        return { passed: false, score: 0, details: rationale, undecided: rationale };
      return {
        passed: approved,
        score: approved ? overall || 1 : (overall ?? 0),
        details: review.decision.reason,
        findings: review.gaps.filter(isOpen).map(({ description, severity, ...gap }) => ({
          description,
          severity,
          file: gap.location?.file ?? gap.affectedArtifact,
          line: gap.location?.line,
          suggestedFix: gap.suggestedFix,
        })),
      };
    },
  };
}

/**
 * Returns whether `toPass` was given a pipeline.
 *
 * @throws ReviewLoopError `invalid_options` if it was given neither a criterion nor a pipeline
 */
export function isPipeline<Task, Output>(
  judge: Checked<Output, Task> | ReviewingPipeline<Task, Output>,
): judge is ReviewingPipeline<Task, Output> {
  const given: unknown = judge;
  const isObject = typeof given === 'object' && given !== null;
  if (!isObject || !('validate' in given || 'run' in given))
    throw invalid('toPass', 'a criterion or a pipeline', given);
  return 'run' in judge && typeof judge.run === 'function' && !('validate' in judge);
}
