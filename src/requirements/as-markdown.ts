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
    if (heading !== null)
      return `${'#'.repeat(Number(heading[1]))} ${line.slice(heading[0].length)}`;
    return /^\{(?:code|noformat|quote)(?::[^}]*)?\}\s*$/.test(line)
      ? '```'
      : listed(line, numbers ? '#' : undefined);
  },
};

const asciiDoc: Markup = {
  numbered: '.',
  fits: (lines) =>
    !lines.some((line) => /^#{1,6}\s/.test(line)) &&
    (lines.find((line) => line.trim() !== '')?.startsWith('= ') === true ||
      lines.filter((line) => /^={2,6}\s+\S/.test(line)).length > 1),
  line: (line) => {
    const heading = /^(={1,6})\s+(?=\S)/.exec(line);
    if (heading !== null)
      return `${'#'.repeat(heading[1]?.length ?? 1)} ${line.slice(heading[0].length).replace(/\s=+\s*$/, '')}`;
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
 * AsciiDoc, titles that are underlined with other signs than Markdown knows, and tags that prompts put round their parts.
 */
export function asMarkdown(lines: readonly string[]): readonly string[] {
  const markup = [jira, asciiDoc].find(({ fits }) => fits(lines));
  // "# one" may be a heading of Markdown, too; items stand below each other.
  const numbers =
    markup?.numbered !== '#' ||
    lines.some((line, index) => line.startsWith('# ') && /^#{1,5} /.test(lines[index + 1] ?? ''));
  const known = untagged(
    markup === undefined ? lines : lines.map((line) => markup.line(line, numbers)),
  );
  return known.map((line, index) =>
    isUnderline(line, known[index - 1] ?? '', known[index - 2] ?? '') ? '---' : line,
  );
}

const html = new Set(
  'a abbr address article aside audio b blockquote body br button caption center code col dd del details dialog div dl dt em fieldset figure font footer form h1 h2 h3 h4 h5 h6 head header hr html i iframe img input kbd label legend li link main mark menu meta nav noscript object ol option p picture pre progress s script section select small source span strong style sub summary sup svg table tbody td template textarea tfoot th thead time title tr u ul video'.split(
    ' ',
  ),
);
const tag = /^\s*<(\/?)([a-z][a-z0-9]*(?:[_-][a-z0-9]+)*)>\s*$/i;

/** Tags of prompts (`<constraints>` on a line of its own) name a part, as a heading does. */
function untagged(lines: readonly string[]): readonly string[] {
  const closed = new Set(
    lines.flatMap((line) => (tag.exec(line)?.[1] === '/' ? [tag.exec(line)?.[2]] : [])),
  );
  if (closed.size === 0) return lines;
  return lines.map((line) => {
    const [, end = '', name = ''] = tag.exec(line) ?? [];
    if (!closed.has(name) || html.has(name.toLowerCase())) return line;
    return end === '' ? `###### ${name.replaceAll(/[_-]/g, ' ')}` : '######';
  });
}

/** Whether a line underlines the one above it, which stands alone: `~~~~` as long as the title. */
function isUnderline(line: string, title: string, above: string): boolean {
  const mark = line.charAt(0);
  if (
    line.length < 4 ||
    !'~^"\'+*'.includes(mark) ||
    above.trim() !== '' ||
    /^[\s>#*+-]/.test(title)
  )
    return false;
  return (
    Math.abs(line.trimEnd().length - title.trimEnd().length) < 2 &&
    line.trimEnd() === mark.repeat(line.trimEnd().length)
  );
}
