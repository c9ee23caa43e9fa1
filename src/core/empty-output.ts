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
    return output.artifacts.every(isBlankArtifact) && !hasResult(output);
  return Object.keys(output).length === 0;
}

/** Whether an output has a result beside its artifacts. */
function hasResult(output: object): boolean {
  return 'result' in output && !isEmptyOutput(output.result);
}

/** An artifact that only names its file is not blank: its content is elsewhere. */
function isBlankArtifact(artifact: unknown): boolean {
  if (typeof artifact !== 'object' || artifact === null) return isEmptyOutput(artifact);
  return 'content' in artifact && typeof artifact.content === 'string'
    ? artifact.content.trim() === ''
    : false;
}
