import type { Found } from '../artifact-criterion.js';
import { languageOf } from '../files/file-kind.js';
import { foundAt, type TextFile } from '../files/file-rule.js';
import { type CodeToken, codeOnly, tokensOf } from './lexer.js';

const closers: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/**
 * Finds files of code that end in the middle of a block or a comment. Open brackets alone are not
 * enough, because no grammar is known. The last line must also look truncated.
 */
export function codeCutOff(file: TextFile): Found[] {
  const language = languageOf(file.file);
  const trimmed = file.source.trimEnd();
  if (language === undefined || language.family === 'markup' || trimmed === '') return [];
  const tokens = tokensOf(file.source, language.family);
  const start = Math.max(trimmed.lastIndexOf('\n'), trimmed.lastIndexOf('\r')) + 1;
  const what = unfinished(codeOnly(file.source, tokens), {
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

/** Returns the number of open brackets at the end, and whether every closing bracket matches. */
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
