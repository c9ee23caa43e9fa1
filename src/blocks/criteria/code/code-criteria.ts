import type { Artifact } from '../../../core/artifact.js';
import { checkKeys } from '../../../core/options.js';
import { type AllowedSecret, checkAllowedSecrets } from '../../../core/redact/allowed-secrets.js';
import type { ArtifactCriterion, Edit, Found } from '../artifact-criterion.js';
import { chatterIn, conflictRule, emptyContent, secretRule } from '../files/content-rules.js';
import { type CommentFamily, isData, isSource, languageOf } from '../files/file-kind.js';
import {
  type FileRule,
  fileCriterion,
  fileRule,
  foundAt,
  type TextFile,
} from '../files/file-rule.js';
import { taskFiles } from '../files/task-files.js';
import { blanked } from '../source-lines.js';
import { brokenData, isCheckedData } from './data-validity.js';

/** Stylesheets belong to the criteria for CSS. */
const isStyle = ({ path }: Artifact): boolean => /\.(?:css|s[ac]ss|less)$/i.test(path);

const isCode = (artifact: Artifact): boolean => isSource(artifact) || isData(artifact);

export interface CodeOptions {
  /** Lines that look like secrets and are allowed. @default [] */
  readonly allowedSecrets?: readonly AllowedSecret[] | undefined;
}

const left: readonly RegExp[] = [
  /\byour (?:code|implementation|logic) (?:goes )?here\b/i,
  /^[\s/*#<!-]*(?:(?:\.{3}|…)\s*)?(?:the )?(?:rest of|remaining|existing|previous|other) (?:the |your |of the )?(?:code|file|implementation|methods?|functions?|logic|imports?)\b(?:[^a-z\n]*|\s+(?:remains?|stays?|is|are|unchanged|same|here|goes here|omitted|as before|the same)[\s\w]{0,30}(?:\.{3}|…)?[\s*/>-]*)$/i,
  /^[\s/*#<!-]*(?:\.{3}|…)\s*(?:\(?(?:code|implementation|rest|existing|unchanged|omitted|same as (?:before|above)|more|other|remaining))\b[^\n]{0,60}$/i,
  /\b(?:code|implementation) (?:remains )?(?:unchanged|omitted)(?: for brevity)?(?:\s*(?:\.{3}|…))?[\s*/>-]*$/i,
  /\b(?:TODO|FIXME)\b[\s:(-]{0,5}(?:implement(?: (?:this|it|me))?(?: (?:function|method|logic|class))?|add (?:the |your )?(?:implementation|code|logic)(?: here)?|fill (?:this )?in|write this)[\s.)*/>-]*$/i,
];

const todo = /^[\s/*#<!-]*(?:TODO|FIXME|XXX|HACK)(?=[:(\s]|$)|[\s(](?:TODO|FIXME)[:(]/;

const rules: readonly FileRule[] = [
  fileRule({
    id: 'code-placeholders',
    name: 'No omitted code',
    description: 'No comment replaces missing code',
    category: 'incomplete',
    suggestedFix: 'Write the code',
    reads: isSource,
    judge: codePlaceholders,
  }),
  conflictRule('code', isCode),
  fileRule({
    id: 'code-data',
    name: 'Data is valid',
    description: 'JSON and YAML can be read',
    severity: 'critical',
    suggestedFix: 'Make the data valid',
    reads: ({ path }) => isCheckedData(path),
    judge: brokenData,
  }),
  fileRule({
    id: 'code-cut-off',
    name: 'Complete files',
    description: 'The file does not end in the middle of a block',
    severity: 'critical',
    category: 'incomplete',
    suggestedFix: 'Write the rest of the file',
    reads: isSource,
    judge: codeCutOff,
  }),
  fileRule({
    id: 'code-chatter',
    name: 'Only code',
    description: 'Neither words of an assistant nor fences surround the code',
    severity: 'critical',
    suggestedFix: 'Keep only the code',
    reads: isCode,
    judge: wrapping,
    repairs: true,
  }),
  fileRule({
    id: 'code-bidi',
    name: 'No hidden direction',
    description: 'No character reverses the direction of the code',
    severity: 'critical',
    suggestedFix: 'Remove the characters, or write them as escapes',
    reads: isSource,
    judge: bidiControls,
  }),
  fileRule({
    id: 'code-null-bytes',
    name: 'No null bytes',
    description: 'Files contain only text',
    suggestedFix: 'Remove null bytes',
    reads: isCode,
    judge: nullBytes,
  }),
];

/**
 * Creates the criteria for source code and data: omitted code, merge conflicts, broken JSON and
 * YAML, truncated files, fences and words of an assistant around the code, secrets, hidden
 * characters, missing files, and empty files. A fix removes the fence around a whole file.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const pipeline = definePipeline({ produce: writeCode, reviewers: codeCriteria() });
 * ```
 */
export function codeCriteria(options: CodeOptions = {}): ArtifactCriterion[] {
  checkKeys('codeCriteria', options, ['allowedSecrets']);
  const { allowedSecrets = [] } = options;
  checkAllowedSecrets(allowedSecrets);
  return [
    ...[...rules, secretRule('code', isCode, allowedSecrets)].map(fileCriterion),
    taskFiles('code', isCode),
    emptyContent('code', (artifact) => isCode(artifact) && !isStyle(artifact)),
  ];
}

function wrapping(file: TextFile): Found[] {
  const { source } = file;
  const fenced = /^\ufeff?\s*(`{3,}|~{3,})[\w+#.-]{0,30}[ \t]*\r?\n/.exec(source);
  const last = /\r?\n[ \t]*(`{3,}|~{3,})\s*$/.exec(source.slice(-200));
  if (fenced !== null && last !== null && fenced[1] === last[1]) {
    const end = source.length - last[0].length;
    const edits: Edit[] = [
      { start: 0, end: fenced[0].length, text: '' },
      { start: end, end: source.length, text: last[0].startsWith('\r') ? '\r\n' : '\n' },
    ];
    const isPlain =
      fenced[0].length <= end && !source.slice(fenced[0].length, end).includes(fenced[1] ?? '');
    const about = {
      description: 'the file is wrapped in a code fence',
      suggestedFix: 'Remove the fence',
      ...(isPlain && { edits }),
    };
    return [{ ...foundAt(file, { start: fenced[0].search(/[`~]/) }, about), once: true }];
  }
  return chatterIn(file, linesOf(source));
}

function linesOf(text: string, offset = 0): { readonly text: string; readonly start: number }[] {
  return Array.from(text.matchAll(/[^\r\n]+/g), ({ 0: line, index }) => ({
    text: line,
    start: offset + index,
  }));
}

/** Such characters make code look different from what runs. */
function bidiControls(file: TextFile): Found[] {
  return onEachLine(file, /[\u202a-\u202e\u2066-\u2069]/g, (character) => ({
    description: `a character reverses the direction of the code: ${codePoint(character)}`,
    suggestedFix: 'Remove it, or write it as an escape',
  }));
}

function nullBytes(file: TextFile): Found[] {
  return onEachLine(file, /\0/g, () => ({
    description: 'the file contains a null byte',
    suggestedFix: 'Remove it; check how the file was written',
  })).slice(0, 1);
}

function onEachLine(
  file: TextFile,
  pattern: RegExp,
  about: (character: string) => { readonly description: string; readonly suggestedFix: string },
): Found[] {
  const lines = new Set<number>();
  return Array.from(file.source.matchAll(pattern)).flatMap(({ 0: character, index: start }) => {
    const line = file.lineAt(start);
    if (lines.has(line)) return [];
    lines.add(line);
    return [foundAt(file, { start, end: start + 1 }, about(character))];
  });
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Comments that replace missing code and, as remarks, TODO marks. */
export function codePlaceholders(file: TextFile): Found[] {
  const language = languageOf(file.file);
  if (language === undefined) return [];
  return tokensOf(file.source, language.family)
    .filter(({ kind }) => kind === 'comment')
    .flatMap(({ start, end }) => linesOf(file.source.slice(start, end), start))
    .flatMap(({ text, start }) => {
      const isLeftOut = left.some((pattern) => pattern.test(text));
      if (text.length > 500 || (!isLeftOut && !todo.test(text))) return [];
      const range = {
        start: start + (text.length - text.trimStart().length),
        end: start + text.length,
      };
      const shown = text.trim().slice(0, 80);
      const about = isLeftOut
        ? {
            description: `a comment replaces missing code: ${shown}`,
            suggestedFix: 'Write the code',
          }
        : {
            description: `unfinished work: ${shown}`,
            suggestedFix: 'Finish it, or name the issue that tracks it',
            severity: 'minor' as const,
          };
      return [foundAt(file, range, about)];
    });
}

const closers: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/**
 * Open brackets alone are not enough, because no grammar is known. The last line must also look
 * truncated.
 */
function codeCutOff(file: TextFile): Found[] {
  const language = languageOf(file.file);
  const trimmed = file.source.trimEnd();
  if (language === undefined || language.family === 'markup' || trimmed === '') return [];
  const tokens = tokensOf(file.source, language.family);
  const start = Math.max(trimmed.lastIndexOf('\n'), trimmed.lastIndexOf('\r')) + 1;
  const what = unfinished(blanked(file.source, tokens), {
    tokens,
    lastLine: trimmed.slice(start),
    extension: language.extension,
  });
  if (what === undefined) return [];
  return [
    foundAt(
      file,
      { start },
      { description: `the file ends ${what}`, suggestedFix: 'Write the rest of the file' },
    ),
  ];
}

interface Ending {
  readonly tokens: readonly CodeToken[];
  readonly lastLine: string;
  readonly extension: string;
}

function unfinished(code: string, { tokens, lastLine, extension }: Ending): string | undefined {
  // brackets at the beginning of the last line close something, even after a misreading
  if (/^[}\])]|^<\//.test(lastLine)) return undefined;
  if (tokens.at(-1)?.closed === false) return 'inside a comment';
  const end = code.trimEnd();
  if (
    extension === 'py' &&
    end.endsWith(':') &&
    /^\s*(?:def|class|if|elif|else|for|while|try|except|finally|with)\b/.test(lastLine)
  )
    return 'before the body of a block';
  const { open, isSure } = openBrackets(code);
  if (open === 0) return undefined;
  const isIndented = /^[ \t]/.test(lastLine) && (isSure || !/[;}]$/.test(lastLine));
  const isHanging = /[,([{=+&|<?:]$/.test(lastLine);
  return isIndented || isHanging
    ? `with ${open} ${open === 1 ? 'bracket' : 'brackets'} open`
    : undefined;
}

function openBrackets(code: string): { readonly open: number; readonly isSure: boolean } {
  const open: string[] = [];
  let isSure = true;
  for (const [sign] of code.matchAll(/[()[\]{}]/g)) {
    const opener = closers[sign];
    if (opener === undefined) open.push(sign);
    else if (open.at(-1) === opener) open.pop();
    else isSure = false;
  }
  return { open: open.length, isSure };
}

interface CodeToken {
  readonly kind: 'comment' | 'text';
  readonly start: number;
  readonly end: number;
  /** Whether the token ends before the end of the file. */
  readonly closed: boolean;
}

const patterns: Readonly<Record<CommentFamily, RegExp>> = {
  c: /\/\/[^\r\n]*|\/\*[\s\S]*?(?:\*\/|$)|(?<=[=(,:;!&|?{}[\n>]\s{0,20})\/(?![*/ ])(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.){0,100}\]){1,1000}\/[a-z]*|"[^"\\\n]*(?:\\[\s\S][^"\\\n]*){0,50000}"?|'[^'\\\n]*(?:\\[\s\S][^'\\\n]*){0,50000}'?|`[^`\\]*(?:\\(?:[\s\S]|$)[^`\\]*){0,50000}(?:`|$|(?=\\))/g,
  hash: /#[^\r\n]*|"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|"[^"\\\n]*(?:\\[\s\S][^"\\\n]*){0,50000}"?|'[^'\\\n]*(?:\\[\s\S][^'\\\n]*){0,50000}'?/g,
  dashes: /--[^\r\n]*|\/\*[\s\S]*?(?:\*\/|$)|"[^"\n]*"?|'[^'\n]*'?/g,
  markup: /<!--[\s\S]*?(?:-->|$)|\/\*[\s\S]*?(?:\*\/|$)|\/\/[^\r\n]*/g,
};

export function tokensOf(source: string, family: CommentFamily): CodeToken[] {
  return Array.from(source.matchAll(patterns[family]), ({ 0: found, index }) => {
    const end = index + found.length;
    const isComment = /^(?:\/\/|\/\*|#|--|<!--)/.test(found);
    const isOpen =
      end === source.length &&
      ((found.startsWith('/*') && !found.endsWith('*/')) ||
        (found.startsWith('<!--') && !found.endsWith('-->')));
    return { kind: isComment ? 'comment' : 'text', start: index, end, closed: !isOpen };
  });
}
