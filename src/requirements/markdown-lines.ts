const deepestIndent = 120;
/**
 * A line that opens more lists and quotes than anybody writes; parsers take quadratic time on it.
 */
const tooDeep = /^\s*(?:(?:>|[-*+][ \t]|\d{1,9}[.)][ \t])[ \t]*){40}/;

/**
 * Returns the lines of a text as the Markdown parser gets them: without front matter, and with "•"
 * as the mark of a list. Each line keeps its number.
 */
export function markdownLines(text: string): string[] {
  const lines = linesOf(text);
  const from = endOfFrontMatter(lines);
  return lines.map((line, index) => {
    if (index < from || tooDeep.test(line)) return '';
    const indent = line.length - line.trimStart().length;
    return (indent > deepestIndent ? line.slice(indent - deepestIndent) : line)
      .replaceAll('\0', '\uFFFD')
      .replace(/^(\s*)• */, '$1- ');
  });
}

/** Returns the lines of a text, without its byte order mark. */
export function linesOf(text: string): string[] {
  return (text.startsWith('\uFEFF') ? text.slice(1) : text).split(/\r\n|\n|\r/);
}

/** Returns the number of lines that front matter takes. */
function endOfFrontMatter(lines: readonly string[]): number {
  const mark = lines[0]?.trimEnd();
  if (mark !== '---' && mark !== '+++') return 0;
  return lines.findIndex((line, index) => index > 0 && line.trimEnd() === mark) + 1;
}
