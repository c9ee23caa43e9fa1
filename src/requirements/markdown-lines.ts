const deepestIndent = 120;
/**
 * Matches a line that opens 40 or more lists and quotes. Parsers take quadratic time on such a
 * line.
 */
const tooDeep = /^\s*(?:(?:>|[-*+][ \t]|\d{1,9}[.)][ \t])[ \t]*){40}/;

/**
 * Returns the lines of a text for the Markdown parser. It blanks front matter and reads "•" as the
 * mark of a list. Each line keeps its number.
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

/** Returns the number of lines of front matter. */
function endOfFrontMatter(lines: readonly string[]): number {
  const mark = lines[0]?.trimEnd();
  if (mark !== '---' && mark !== '+++') return 0;
  return lines.findIndex((line, index) => index > 0 && line.trimEnd() === mark) + 1;
}
