import type { Found } from '../artifact-criterion.js';
import { languageOf } from '../files/file-kind.js';
import { foundAt, type TextFile } from '../files/file-rule.js';
import { tokensOf } from './lexer.js';

/** Phrases that replace omitted code. */
const left: readonly RegExp[] = [
  /\byour (?:code|implementation|logic) (?:goes )?here\b/i,
  /^[\s/*#<!-]*(?:(?:\.{3}|…)\s*)?(?:the )?(?:rest of|remaining|existing|previous|other) (?:the |your |of the )?(?:code|file|implementation|methods?|functions?|logic|imports?)\b(?:[^a-z\n]*|\s+(?:remains?|stays?|is|are|unchanged|same|here|goes here|omitted|as before|the same)[\s\w]{0,30}(?:\.{3}|…)?[\s*/>-]*)$/i,
  /^[\s/*#<!-]*(?:\.{3}|…)\s*(?:\(?(?:code|implementation|rest|existing|unchanged|omitted|same as (?:before|above)|more|other|remaining))\b[^\n]{0,60}$/i,
  /\b(?:code|implementation) (?:remains )?(?:unchanged|omitted)(?: for brevity)?(?:\s*(?:\.{3}|…))?[\s*/>-]*$/i,
  /\b(?:TODO|FIXME)\b[\s:(-]{0,5}(?:implement(?: (?:this|it|me))?(?: (?:function|method|logic|class))?|add (?:the |your )?(?:implementation|code|logic)(?: here)?|fill (?:this )?in|write this)[\s.)*/>-]*$/i,
];
const todo = /^[\s/*#<!-]*(?:TODO|FIXME|XXX|HACK)(?=[:(\s]|$)|[\s(](?:TODO|FIXME)[:(]/;

/**
 * Finds comments that replace missing code and, as remarks, TODO marks. It reads only comments.
 */
export function codePlaceholders(file: TextFile): Found[] {
  const language = languageOf(file.file);
  if (language === undefined) return [];
  return tokensOf(file.source, language.family)
    .filter(({ kind }) => kind === 'comment')
    .flatMap(({ start, end }) => linesIn(file.source.slice(start, end), start))
    .flatMap(({ text, start }) => {
      if (text.length > 500) return [];
      const isLeftOut = left.some((pattern) => pattern.test(text));
      if (!isLeftOut && !todo.test(text)) return [];
      const at = {
        start: start + (text.length - text.trimStart().length),
        end: start + text.length,
      };
      const shown = text.trim().slice(0, 80);
      if (isLeftOut)
        return [
          foundAt(file, at, {
            description: `a comment replaces missing code: ${shown}`,
            suggestedFix: 'Write the code',
          }),
        ];
      return [
        foundAt(file, at, {
          description: `unfinished work: ${shown}`,
          suggestedFix: 'Finish it, or name the issue that tracks it',
          severity: 'minor',
        }),
      ];
    });
}

function linesIn(
  text: string,
  offset: number,
): { readonly text: string; readonly start: number }[] {
  return Array.from(text.matchAll(/[^\r\n]+/g), ({ 0: line, index }) => ({
    text: line,
    start: offset + index,
  }));
}
