import type { Artifact } from '../../../core/artifact.js';
import type { AllowedSecret } from '../../../core/redact/allowed-secrets.js';
import type { ArtifactCriterion, Found } from '../artifact-criterion.js';
import { type FileRule, fileCriterion, fileRule, foundAt, type TextFile } from './file-rule.js';
import { secretsIn, versionWith } from './secrets.js';

const opening: readonly RegExp[] = [
  /^(?:certainly|sure|sure thing|of course|absolutely|great)[!,.][ \t]+(?:here|i(?:'ll|'ve| will| have| can)|below|let(?:'s| me))\b/i,
  /^(?:certainly|of course|absolutely)!$/i,
  /^here(?:'s|’s| is| are) (?:the|your|an?) (?:updated|revised|complete|completed|full|final|modified|corrected|fixed|improved|requested|rewritten|refactored)\b[^\n]{0,150}:$/i,
  /^i(?:'ve|’ve| have) (?:updated|revised|modified|corrected|fixed|rewritten|created|added|refactored) the (?:file|code|document)\b/i,
];

const closing: readonly RegExp[] = [
  /^(?:i )?hope (?:this|that) helps\b/i,
  /^let me know if (?:you(?:'d| would) like me to|you want me to|i should)\b/i,
  /^would you like me to\b/i,
  /^is there anything else (?:i can|you(?:'d| would) like)\b/i,
];

const refusal: readonly RegExp[] = [
  /^as an ai(?: language model| assistant)?,? (?:i|my)\b/i,
  /^i(?:'m|’m| am) (?:sorry|unable)[^\n]{0,40}\b(?:cannot|can't|can’t|unable to|not able to) (?:assist|help|comply|provide|fulfil|create|generate)\b/i,
  /^i (?:cannot|can't|can’t) (?:assist|help) with (?:that|this)\b/i,
];

const reach = 3;

export function chatterIn(
  file: TextFile,
  lines: readonly { readonly text: string; readonly start: number }[],
): Found[] {
  const said = lines.filter(({ text }) => text.trim() !== '');
  return said.flatMap(({ text, start }, index) => {
    if (text.length > 1000) return [];
    const line = text.trim().replace(/^(?:\*\*|__)/, '');
    const isFirst = index < reach;
    const isLast = index >= said.length - reach;
    const isMeant =
      refusal.some((pattern) => pattern.test(line)) ||
      (isFirst && opening.some((pattern) => pattern.test(line))) ||
      (isLast && closing.some((pattern) => pattern.test(line)));
    return isMeant
      ? [
          foundAt(
            file,
            { start: start + text.indexOf(text.trim()) },
            {
              description: 'the file contains words of an assistant',
              suggestedFix: 'Keep the work, and remove the words about it',
            },
          ),
        ]
      : [];
  });
}

const marks = /^(?:<{7}|\|{7}|>{7})(?: .*)?$/gm;

/**
 * Finds unresolved merges: each mark of a start, a base or an end, also alone, once for each merge. A
 * single `=======` is a heading, and so is a mark without a name below a word of its length. A mark
 * beside a line that begins with its sign is a quotation or a table.
 */
function conflictMarkers(file: TextFile, hidden: readonly (readonly [number, number])[]): Found[] {
  const { source } = file;
  const found: Found[] = [];
  const isHidden = within(hidden);
  let isOpen = false;
  for (const { 0: mark, index } of source.matchAll(marks)) {
    if (isHidden(index) || isText(source, mark, index)) continue;
    if (!isOpen || mark.startsWith('<'))
      found.push(
        foundAt(
          file,
          { start: index },
          {
            description: 'unresolved merge conflict',
            suggestedFix: 'Keep one side, and remove the conflict marks',
          },
        ),
      );
    isOpen = !mark.startsWith('>') && (isOpen || mark.startsWith('<'));
  }
  return found;
}

/** Returns a test whether offsets, asked in their order, are within sorted ranges. */
function within(ranges: readonly (readonly [number, number])[]): (offset: number) => boolean {
  let next = 0;
  return (offset) => {
    while ((ranges[next]?.[1] ?? Infinity) <= offset) next += 1;
    return (ranges[next]?.[0] ?? Infinity) <= offset;
  };
}

function isText(source: string, mark: string, index: number): boolean {
  const sign = mark.slice(0, 1);
  const above = source.slice(source.lastIndexOf('\n', index - 2) + 1, index).trimEnd();
  const [, below] =
    /^\r?\n(.)/.exec(source.slice(index + mark.length, index + mark.length + 3)) ?? [];
  const isUnderline = mark.length === 7 && above.length === 7 && !/^[<=|>]/.test(above);
  return isUnderline || (sign !== '<' && (above.startsWith(sign) || below === sign));
}

/** @param hidden - Returns the ranges of a text in which marks are no marks. */
export function conflictRule(
  kind: 'text' | 'code',
  reads: FileRule['reads'],
  hidden: (file: TextFile) => readonly (readonly [number, number])[] = () => [],
): FileRule {
  return fileRule({
    id: `${kind}-conflict-markers`,
    name: 'No merge conflicts',
    description: 'Merges are resolved',
    severity: 'critical',
    version: 2,
    suggestedFix: 'Keep one side, and remove the conflict marks',
    reads,
    judge: (file) => conflictMarkers(file, hidden(file)),
  });
}

export function secretRule(
  kind: 'text' | 'code',
  reads: FileRule['reads'],
  allowed: readonly AllowedSecret[],
): FileRule {
  return fileRule({
    id: `${kind}-secrets`,
    name: 'No secrets',
    description: 'No secret in plain text',
    severity: 'critical',
    version: versionWith(1, allowed),
    suggestedFix: 'Remove secrets',
    reads,
    judge: (file) => secretsIn(file, allowed),
  });
}

/** Files that are useful without content. */
const mayBeEmpty = /(?:^|\/)(?:__init__\.pyi?|conftest\.py)$/i;

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

export function emptyFile(file: string, what: string): Found {
  return { description: `${file} ${what}`, suggestedFix, file, line: 1, once: true };
}

function isBlank(source: string): boolean {
  return source.replaceAll(/[\s\u200b\u2060\ufeff]/g, '') === '';
}
