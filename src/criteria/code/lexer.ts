import type { CommentFamily } from '../files/file-kind.js';

/** A token of source code. */
export interface CodeToken {
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

/** Returns the comments and strings of source code, without a grammar. */
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

/** Returns the code with comments and strings blanked, at the same length. */
export function codeOnly(source: string, tokens: readonly CodeToken[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end } of tokens) {
    parts.push(source.slice(at, start), ' '.repeat(end - start));
    at = end;
  }
  parts.push(source.slice(at));
  return parts.join('');
}
