import type { Artifact } from '../../core/artifact.js';
import type { ArtifactCriterion, Found } from '../artifact-criterion.js';
import { type FileRule, fileCriterion } from './file-rule.js';

/** Files that are useful without content. */
const mayBeEmpty = /(?:^|\/)(?:__init__\.pyi?|conftest\.py)$/i;

/** Creates the criterion that no file of a kind is empty, or only white space. */
export function emptyContent(
  kind: 'html' | 'css' | 'text' | 'code' | 'plan',
  reads: (artifact: Artifact) => boolean,
  judge: FileRule['judge'] = () => [],
): ArtifactCriterion {
  return fileCriterion({
    id: `${kind}-empty-content`,
    name: 'Files have content',
    description: 'No file is empty',
    severity: 'critical',
    category: 'missing',
    version: 1,
    suggestedFix,
    reads: (artifact) => reads(artifact) && !mayBeEmpty.test(artifact.path),
    judge: (file, given) =>
      isBlank(file.source)
        ? [emptyFile(file.file, file.source === '' ? 'is empty' : 'contains only white space')]
        : judge(file, given),
  });
}

const suggestedFix = 'Write the content that the task asks for';

/** Returns the finding about a file without content. */
export function emptyFile(file: string, what: string): Found {
  return { description: `${file} ${what}`, suggestedFix, file, line: 1, once: true };
}

function isBlank(source: string): boolean {
  return source.replaceAll(/[\s\u200b\u2060\ufeff]/g, '') === '';
}
