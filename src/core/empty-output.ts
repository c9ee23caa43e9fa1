/** Characters without a shape: space, control and format characters, and fillers. */
const visible = /[^\s\p{Cc}\p{Cf}\u115f\u1160\u2800\u3164\uffa0]/u;

export function isBlank(text: string): boolean {
  return !visible.test(text);
}

/**
 * Returns whether an output has no content: nothing, invisible characters, an empty list or object,
 * a list or object of blank texts, or artifacts none of which has any content.
 */
export function isEmptyOutput(output: unknown): boolean {
  if (output === null || output === undefined) return true;
  if (typeof output === 'string') return isBlank(output);
  if (typeof output !== 'object') return false;
  if ('artifacts' in output && Array.isArray(output.artifacts))
    return output.artifacts.every(isBlankArtifact) && !hasResult(output);
  return Object.values(output).every(isBlankMember);
}

/** An empty list is a statement as a member: no issue was found. */
function isBlankMember(member: unknown): boolean {
  if (member === null || member === undefined) return true;
  if (typeof member === 'string') return isBlank(member);
  return Array.isArray(member) && member.length > 0 && member.every(isBlankMember);
}

function hasResult(output: object): boolean {
  return 'result' in output && !isEmptyOutput(output.result);
}

/** An artifact that only names its file is not blank: its content is elsewhere. */
function isBlankArtifact(artifact: unknown): boolean {
  if (typeof artifact !== 'object' || artifact === null) return isEmptyOutput(artifact);
  return 'content' in artifact && typeof artifact.content === 'string'
    ? isBlank(artifact.content)
    : false;
}
