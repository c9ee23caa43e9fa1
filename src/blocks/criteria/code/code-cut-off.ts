import type { Found } from '../artifact-criterion.js';
import { type CommentFamily, languageOf } from '../files/file-kind.js';
import { foundAt, type TextFile } from '../files/file-rule.js';
import { blanked } from '../source-lines.js';

const closers: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/**
 * Open brackets alone are not enough, because no grammar is known. The last line must also look
 * truncated.
 */
export function codeCutOff(file: TextFile): Found[] {
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
