import { type Artifact, artifactsOf } from '../../core/artifact.js';
import { type ArtifactCriterion, artifactCriterion } from '../artifact-criterion.js';
import { filesAskedFor, isThere } from './task-files.js';

/** Creates the criterion that requires the requested files of a kind to exist. */
export function taskFiles(
  kind: 'text' | 'code',
  isOfKind: (artifact: Artifact) => boolean,
): ArtifactCriterion {
  return artifactCriterion({
    id: `${kind}-task-files`,
    name: 'Requested files',
    description: 'Every file that the task asks for exists',
    severity: 'major',
    category: 'missing',
    version: `${kind}-task-files/1`,
    scope: (output) => ({
      artifacts: artifactsOf(output).map(({ type, path }) => ({ type, path })),
    }),
    check: (output, task) => {
      const asked = filesAskedFor(task).filter((path) => isOfKind({ path, type: '' }));
      if (asked.length === 0)
        return {
          passed: false,
          score: 0,
          details: '',
          skipped: `the task asks for no ${kind === 'text' ? 'text' : 'code'} file`,
        };
      const missing = asked.filter((path) => !isThere(path, artifactsOf(output)));
      if (missing.length === 0)
        return {
          passed: true,
          score: 1,
          details: `All ${asked.length} files exist`,
          estimatedEffort: 'medium',
        };
      return {
        passed: false,
        score: 1 - missing.length / asked.length,
        details: `Missing files: ${missing.slice(0, 20).join(', ')}`,
        suggestedFix: 'Write the missing files',
        estimatedEffort: 'medium',
        findings: missing.map((path) => ({
          description: `the task asks for ${path}, which is missing`,
          suggestedFix: `Write ${path}`,
        })),
      };
    },
  });
}
