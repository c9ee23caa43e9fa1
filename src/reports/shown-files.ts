import { type Artifact, artifactsOf, membersBesideFiles } from '../core/artifact.js';

/**
 * Returns what a report shows of a version: its files, and the rest of the output as a file of JSON,
 * because a person who approves it approves all of it.
 */
export function shownFiles(output: unknown): readonly Artifact[] {
  const files = artifactsOf(output);
  if (typeof output === 'string' || output === undefined) return files;
  const rest = hasFiles(output, files) ? membersBesideFiles(output, files) : output;
  if (typeof rest === 'object' && rest !== null && Object.keys(rest).length === 0) return files;
  const content = JSON.stringify(rest, null, 2);
  return [...files, { type: 'json', path: freePath(files), content }];
}

/** Whether an output consists of files. Otherwise all of it is shown as JSON too. */
function hasFiles(output: unknown, files: readonly Artifact[]): boolean {
  return (
    typeof output === 'object' &&
    output !== null &&
    'artifacts' in output &&
    Array.isArray(output.artifacts) &&
    output.artifacts.length === files.length
  );
}

function freePath(files: readonly Artifact[]): string {
  const paths = new Set(files.map(({ path }) => path));
  let path = 'result';
  while (paths.has(path)) path += '+';
  return path;
}
