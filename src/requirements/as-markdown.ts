interface Markup {
  /** Whether a document is written in it. */
  readonly fits: (lines: readonly string[]) => boolean;
  /** A line of it in the signs of Markdown; `numbers` tells whether its sign for numbered items is used for them. */
  readonly line: (line: string, numbers: boolean) => string;
  readonly numbered: '#' | '.';
}

const jira: Markup = {
  numbered: '#',
  fits: (lines) => lines.some((line) => /^h[1-6]\.\s+\S/.test(line)),
  line: (line, numbers) => {
    const heading = /^h([1-6])\.\s+/.exec(line);
    if (heading !== null) return `${'#'.repeat(Number(heading[1]))} ${line.slice(heading[0].length)}`;
    return /^\{(?:code|noformat|quote)(?::[^}]*)?\}\s*$/.test(line) ? '```' : listed(line, numbers ? '#' : undefined);
  },
};

const asciiDoc: Markup = {
  numbered: '.',
  fits: (lines) =>
    !lines.some((line) => /^#{1,6}\s/.test(line)) && (lines.find((line) => line.trim() !== '')?.startsWith('= ') === true || lines.filter((line) => /^={2,6}\s+\S/.test(line)).length > 1),
  line: (line) => {
    const heading = /^(={1,6})\s+(?=\S)/.exec(line);
    if (heading !== null) return `${'#'.repeat(heading[1]?.length ?? 1)} ${line.slice(heading[0].length).replace(/\s=+\s*$/, '')}`;
    if (/^(?::[\w-]+:.*|\[[\w,=" -]*\]|\|===)\s*$/.test(line)) return '';
    return /^(?:-{4,}|\.{4,})\s*$/.test(line) ? '```' : listed(line, '.');
  },
};

/** Lists whose depth is the number of signs: `**` is an item in an item. */
function listed(line: string, number: '#' | '.' | undefined): string {
  const found = /^(\*{1,5}|#{1,5}|\.{1,5})\s+(?=\S)/.exec(line);
  const signs = found?.[1] ?? '';
  if (found === null || (signs.charAt(0) !== '*' && signs.charAt(0) !== number)) return line;
  return `${'   '.repeat(signs.length - 1)}${signs.startsWith('*') ? '-' : '1.'} ${line.slice(found[0].length)}`;
}

/**
 * The lines of a text in the signs of Markdown, each in its place: headings and lists of wiki markup (`h2.`, `== Title`) and of
 * AsciiDoc, and titles that are underlined with other signs than Markdown knows.
 */
export function asMarkdown(lines: readonly string[]): readonly string[] {
  const markup = [jira, asciiDoc].find(({ fits }) => fits(lines));
  // "# one" may be a heading of Markdown, too; items stand below each other.
  const numbers = markup?.numbered !== '#' || lines.some((line, index) => line.startsWith('# ') && /^#{1,5} /.test(lines[index + 1] ?? ''));
  const known = markup === undefined ? lines : lines.map((line) => markup.line(line, numbers));
  return known.map((line, index) => (isUnderline(line, known[index - 1] ?? '', known[index - 2] ?? '') ? '---' : line));
}

/** Whether a line underlines the one above it, which stands alone: `~~~~` as long as the title. */
function isUnderline(line: string, title: string, above: string): boolean {
  const mark = line.charAt(0);
  if (line.length < 4 || !'~^"\'+*'.includes(mark) || above.trim() !== '' || /^[\s>#*+-]/.test(title)) return false;
  return Math.abs(line.trimEnd().length - title.trimEnd().length) < 2 && line.trimEnd() === mark.repeat(line.trimEnd().length);
}
