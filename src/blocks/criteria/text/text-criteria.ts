import type { Artifact } from '../../../core/artifact.js';
import { checkKeys, invalid } from '../../../core/options.js';
import { type AllowedSecret, checkAllowedSecrets } from '../../../core/redact/allowed-secrets.js';
import type { ArtifactCriterion, Found } from '../artifact-criterion.js';
import { brokenFrontMatter } from '../code/data-validity.js';
import { chatterIn, conflictRule, emptyContent, secretRule } from '../files/content-rules.js';
import { isMarkdown, isPage, isText } from '../files/file-kind.js';
import {
  type FileRule,
  fileCriterion,
  fileRule,
  foundAt,
  type TextFile,
} from '../files/file-rule.js';
import { taskFiles } from '../files/task-files.js';
import { brokenLinks } from './links.js';
import { type MarkdownLine, readMarkdown } from './markdown.js';
import { placeholdersIn } from './placeholders.js';

export interface TextOptions {
  /**
   * Whether the artifacts are complete. Then each relative link must lead to one of them.
   *
   * @default false: a link is checked only if an artifact of the same kind is in the same folder
   */
  readonly complete?: boolean | undefined;
  /** Lines that look like secrets and are allowed. @default [] */
  readonly allowedSecrets?: readonly AllowedSecret[] | undefined;
}

const isWritten = (artifact: Artifact): boolean => isText(artifact) || isPage(artifact);

/**
 * Creates the criteria for texts that people read: Markdown, plain text and pages. They find
 * placeholders, merge conflicts, broken links, unclosed fences, invalid front matter, truncated
 * texts, words of an assistant around its work, secrets, missing files, and empty files.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const pipeline = definePipeline({ produce: writeDocs, reviewers: textCriteria() });
 * ```
 */
export function textCriteria(options: TextOptions = {}): ArtifactCriterion[] {
  checkKeys('textCriteria', options, ['complete', 'allowedSecrets']);
  const { complete = false, allowedSecrets = [] } = options;
  checkAllowedSecrets(allowedSecrets);
  if (typeof complete !== 'boolean') throw invalid('complete', 'true or false', complete);
  const secrets = secretRule('text', isWritten, allowedSecrets);
  return [
    ...[...contentRules, linkRule(complete), ...formRules, secrets].map(fileCriterion),
    taskFiles('text', isWritten),
    emptyContent('text', isText),
  ];
}

const contentRules: readonly FileRule[] = [
  fileRule({
    id: 'text-placeholders',
    name: 'No placeholders',
    description: 'No placeholder is left',
    category: 'incomplete',
    version: 3,
    suggestedFix: 'Replace placeholders with the real content',
    reads: isWritten,
    judge: placeholdersIn,
  }),
  conflictRule('text', isWritten, codeRanges),
];

function linkRule(complete: boolean): FileRule {
  return fileRule({
    id: 'text-links',
    name: 'Links have targets',
    description: 'The targets of relative links and anchors exist',
    version: `2/${complete}`,
    suggestedFix: 'Correct the links',
    reads: (artifact) => isMarkdown(artifact) || isPage(artifact),
    judge: (file, given) => brokenLinks(file, given, complete),
  });
}

const formRules: readonly FileRule[] = [
  fileRule({
    id: 'text-code-fences',
    name: 'Code fences are closed',
    description: 'Every code fence is closed',
    category: 'incomplete',
    version: 2,
    suggestedFix: 'Close the fence',
    reads: isMarkdown,
    judge: (file) =>
      /^[ \t>]{0,20}(?:```|~~~)/m.test(file.source) ? unclosedFences(file) : undefined,
  }),
  fileRule({
    id: 'text-front-matter',
    name: 'Front matter is valid',
    description: 'The YAML before a text can be read',
    version: 2,
    suggestedFix: 'Make it valid YAML',
    reads: isMarkdown,
    judge: (file) => {
      const { frontMatter: place } = readMarkdown(file.source);
      return place === undefined ? undefined : brokenFrontMatter(file, place);
    },
  }),
  fileRule({
    id: 'text-cut-off',
    name: 'Complete text',
    description: 'The text does not end in the middle of a sentence',
    category: 'incomplete',
    suggestedFix: 'Write the rest',
    reads: isText,
    judge: cutOff,
  }),
  fileRule({
    id: 'text-chatter',
    name: 'No words about the work',
    description: 'The file contains no words of an assistant',
    category: 'quality',
    suggestedFix: 'Keep the work, and remove the words about it',
    reads: isText,
    judge: (file) =>
      chatterIn(
        file,
        readMarkdown(file.source).lines.filter(({ kind }) => /^(?:text|blank|list)$/.test(kind)),
      ),
  }),
];

function unclosedFences(file: TextFile): Found[] {
  const about = {
    description: 'a code fence is not closed',
    suggestedFix: 'Close it at the end of the code',
  };
  return readMarkdown(file.source).unclosed.map((start) => foundAt(file, { start }, about));
}

function codeRanges({ file: path, type, source }: TextFile): [number, number][] {
  if (!isMarkdown({ path, type })) return [];
  return readMarkdown(source).lines.flatMap(({ kind, start, text }): [number, number][] =>
    kind === 'code' ? [[start, start + text.length + 1]] : [],
  );
}

const closed = /[.!?:;…。！？：；｡।۔؟]["'”’»」』)\]*_`~]*$|[)\]}>"”’»」』|*_`~\p{S}]$/u;

const latin = /[a-z]/i;

/**
 * Returns whether a text ends in the middle of a sentence. It ignores headings, tables, code, links
 * and short last lines.
 */
export function cutOff(file: TextFile): Found[] {
  const { lines, unclosed } = readMarkdown(file.source);
  const last = lines.findLast(({ kind }) => kind !== 'blank');
  if (last === undefined || unclosed.length > 0 || !['text', 'list', 'quote'].includes(last.kind))
    return [];
  const text = last.text.trim();
  if (!endsEarly(text, last, lines)) return [];
  const start = last.start + (last.text.length - last.text.trimStart().length);
  return [
    foundAt(
      file,
      { start },
      {
        description: `the text ends in the middle of a sentence: ...${text.slice(-60)}`,
        suggestedFix: 'Write the rest, or end the sentence',
      },
    ),
  ];
}

function endsEarly(text: string, last: MarkdownLine, lines: readonly MarkdownLine[]): boolean {
  if (closed.test(text) || isAddress(lastWordOf(text)) || wordsIn(text) < 3) return false;
  if (/[,、，(–—]$/.test(text)) return true;
  // a list ends without a full stop, and so does a signature
  if (last.kind !== 'text' || !latin.test(text.slice(-1)) || text.startsWith('**')) return false;
  const ended = paragraphEnds(lines.slice(0, lines.indexOf(last)));
  const isProse =
    ended.length >= 5 && ended.filter((end) => closed.test(end)).length === ended.length;
  return isProse && wordsIn(text) >= 8;
}

function lastWordOf(text: string): string {
  return text.slice(Math.max(...[' ', '\t', '\u00A0'].map((space) => text.lastIndexOf(space))) + 1);
}

function isAddress(word: string): boolean {
  return /https?:/.test(word) || word.slice(1, -1).includes('@');
}

function paragraphEnds(lines: readonly MarkdownLine[]): string[] {
  return lines.flatMap(({ kind, text }, index) =>
    kind === 'text' && lines[index + 1]?.kind === 'blank' && wordsIn(text) >= 3
      ? [text.trim()]
      : [],
  );
}

function wordsIn(text: string): number {
  return text.split(/\s+/, 50).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}
