import { checkKeys, invalid } from '../../core/options.js';
import type { ArtifactCriterion } from '../artifact-criterion.js';
import { brokenFrontMatter } from '../code/data-validity.js';
import { chatterIn } from '../files/chatter.js';
import { conflictMarkers } from '../files/conflict-markers.js';
import { isMarkdown, isPage, isText } from '../files/file-kind.js';
import { fileCriterion, foundAt } from '../files/file-rule.js';
import { secretsIn } from '../files/secrets.js';
import { taskFiles } from '../files/task-files-criterion.js';
import { cutOff } from './cut-off.js';
import { brokenLinks } from './links.js';
import { readMarkdown } from './markdown.js';
import { placeholdersIn } from './placeholders.js';

/** What the criteria about texts may be told. */
export interface TextOptions {
  /**
   * Whether the artifacts are everything there is, so that each relative link has to lead to one of
   * them.
   *
   * @default false: only where files of the same kind in the same folder were given
   */
  readonly complete?: boolean | undefined;
}

const isWritten = (artifact: { readonly path: string; readonly type: string }): boolean =>
  isText(artifact) || isPage(artifact);

/**
 * The criteria about texts for people, that is Markdown, plain text and pages: placeholders, merge
 * conflicts, broken links, unclosed fences, front matter, sudden ends, what an assistant says
 * around its work, secrets, and missing files.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const pipeline = definePipeline({ produce: writeDocs, reviewers: textCriteria() });
 * ```
 */
export function textCriteria(options: TextOptions = {}): ArtifactCriterion[] {
  checkKeys('textCriteria', options, ['complete']);
  const { complete = false } = options;
  if (typeof complete !== 'boolean') throw invalid('complete', 'true or false', complete);
  return [
    placeholders(),
    conflicts(),
    links(complete),
    codeFences(),
    frontMatter(),
    suddenEnd(),
    chatter(),
    secrets(),
    taskFiles('text', isWritten),
  ];
}

function placeholders(): ArtifactCriterion {
  return fileCriterion({
    ...{
      id: 'text-placeholders',
      name: 'No placeholders',
      description: 'Nothing is left to be filled in',
      severity: 'major',
      category: 'incomplete',
      version: 2,
    },
    suggestedFix: 'Replace placeholders by what belongs there',
    reads: isWritten,
    judge: placeholdersIn,
  });
}

function conflicts(): ArtifactCriterion {
  return fileCriterion({
    ...{
      id: 'text-conflict-markers',
      name: 'No merge conflicts',
      description: 'Merges are resolved',
      severity: 'critical',
      category: 'incorrect',
      version: 1,
    },
    suggestedFix: 'Keep one of both sides and remove the marks',
    reads: isWritten,
    judge: (file) =>
      conflictMarkers(
        file,
        isMarkdown({ path: file.file, type: file.type }) ? codeRanges(file.source) : [],
      ),
  });
}

function links(complete: boolean): ArtifactCriterion {
  return fileCriterion({
    ...{
      id: 'text-links',
      name: 'Links lead somewhere',
      description: 'Relative links and anchors lead to what is there',
      severity: 'major',
      category: 'incorrect',
      version: `1/${complete}`,
    },
    suggestedFix: 'Correct the links',
    reads: (artifact) => isMarkdown(artifact) || isPage(artifact),
    judge: (file, given) => brokenLinks(file, given, complete),
  });
}

function codeFences(): ArtifactCriterion {
  return fileCriterion({
    ...{
      id: 'text-code-fences',
      name: 'Code fences are closed',
      description: 'Every code fence is closed',
      severity: 'major',
      category: 'incomplete',
      version: 1,
    },
    suggestedFix: 'Close the fence',
    reads: isMarkdown,
    judge: (file) =>
      readMarkdown(file.source).unclosed.map((start) =>
        foundAt(
          file,
          { start },
          {
            description: 'a code fence is not closed',
            suggestedFix: 'Close it where the code ends',
          },
        ),
      ),
  });
}

function frontMatter(): ArtifactCriterion {
  return fileCriterion({
    ...{
      id: 'text-front-matter',
      name: 'Front matter is valid',
      description: 'The YAML before a text can be read',
      severity: 'major',
      category: 'incorrect',
      version: 1,
    },
    suggestedFix: 'Make it valid YAML',
    reads: isMarkdown,
    judge: (file) => {
      const { frontMatter: place } = readMarkdown(file.source);
      return place === undefined ? [] : brokenFrontMatter(file, place);
    },
  });
}

function suddenEnd(): ArtifactCriterion {
  return fileCriterion({
    ...{
      id: 'text-cut-off',
      name: 'The text is whole',
      description: 'The text does not end in the middle of a sentence',
      severity: 'major',
      category: 'incomplete',
      version: 1,
    },
    suggestedFix: 'Write the rest',
    reads: (artifact) => isText(artifact),
    judge: cutOff,
  });
}

function chatter(): ArtifactCriterion {
  return fileCriterion({
    ...{
      id: 'text-chatter',
      name: 'No words about the work',
      description: 'No assistant speaks in the file',
      severity: 'major',
      category: 'quality',
      version: 1,
    },
    suggestedFix: 'Remove what is said about the work and keep the work',
    reads: (artifact) => isText(artifact),
    judge: (file) =>
      chatterIn(
        file,
        readMarkdown(file.source).lines.filter(
          ({ kind }) => kind === 'text' || kind === 'blank' || kind === 'list',
        ),
      ),
  });
}

function secrets(): ArtifactCriterion {
  return fileCriterion({
    ...{
      id: 'text-secrets',
      name: 'No secrets',
      description: 'No secret is written out',
      severity: 'critical',
      category: 'incorrect',
      version: 1,
    },
    suggestedFix: 'Take secrets out',
    reads: isWritten,
    judge: secretsIn,
  });
}

function codeRanges(source: string): [number, number][] {
  return readMarkdown(source).lines.flatMap(({ kind, start, text }): [number, number][] =>
    kind === 'code' ? [[start, start + text.length + 1]] : [],
  );
}
