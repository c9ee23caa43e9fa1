import type { FailedAssessment, PassedAssessment } from './assessment.js';

/** The criterion of every output: it has content. */
export const emptyOutputId = 'empty-output';

/**
 * Returns whether an output has no content: nothing, white space, an empty list or object, or
 * artifacts none of which has any.
 */
export function isEmptyOutput(output: unknown): boolean {
  if (output === null || output === undefined) return true;
  if (typeof output === 'string') return output.trim() === '';
  if (typeof output !== 'object') return false;
  if (Array.isArray(output)) return output.length === 0;
  if ('artifacts' in output && Array.isArray(output.artifacts))
    return output.artifacts.every(isBlankArtifact);
  return Object.keys(output).length === 0;
}

/** An artifact that only names its file is not blank: its content is elsewhere. */
function isBlankArtifact(artifact: unknown): boolean {
  if (typeof artifact !== 'object' || artifact === null) return isEmptyOutput(artifact);
  return 'content' in artifact && typeof artifact.content === 'string'
    ? artifact.content.trim() === ''
    : false;
}

/** Returns the assessment of an output with content, where an earlier one had none. */
export function filledOutput(): PassedAssessment {
  return {
    verdict: 'pass',
    criterion: emptyOutputId,
    score: 1,
    explanation: 'the output has content',
    gaps: [],
  };
}

/** Returns the assessment of an output without content. */
export function emptyOutput(): FailedAssessment {
  return {
    verdict: 'fail',
    criterion: emptyOutputId,
    score: 0,
    explanation: 'the output is empty',
    gaps: [
      {
        id: '',
        severity: 'critical',
        category: 'incomplete',
        description: 'The output is empty',
        suggestedFix: 'Return an output with content.',
        estimatedEffort: 'medium',
        autoFixable: true,
        criterionId: emptyOutputId,
        raisedBy: emptyOutputId,
      },
    ],
  };
}
