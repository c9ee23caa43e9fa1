import { isExplaining, sectionKind } from './sections.js';

/** The elements of HTML, whose tags name no part of a text. */
const elements = new Set(
  (
    'a abbr address article aside audio b base blockquote body br button canvas caption center ' +
    'cite code col colgroup dd del details dfn dialog div dl dt em fieldset figcaption figure font ' +
    'footer form h1 h2 h3 h4 h5 h6 head header hr html i iframe img input ins kbd label legend li ' +
    'link main map mark menu meta nav object ol optgroup option p param picture pre progress q s ' +
    'samp script section select small source span strong style sub summary sup svg table tbody td ' +
    'template textarea tfoot th thead time title tr track u ul var video wbr path'
  ).split(' '),
);
const opening = /^\s{0,8}<([a-z][\w.-]{0,60})(?:\s[^<>]{0,200})?>\s*$/i;
const closing = /^\s{0,8}<\/([a-z][\w.-]{0,60})\s*>\s*$/i;
const both = /^\s{0,8}<([a-z][\w.-]{0,60})(?:\s[^<>]{0,200})?>(.*)<\/\1\s*>\s*$/i;

/** The heading of text after a part that explains. It names nothing. */
const after = '## Text';
/** A line that ends lists and paragraphs. */
const rule = '***';

/**
 * Replaces tags that name the parts of a prompt by headings: "<constraints>" alone on its line.
 * Markdown takes such a part for HTML. Tags of HTML, and tags in fences, stay.
 */
export function withTagsAsHeadings(lines: readonly string[]): readonly string[] {
  const closed = new Set(lines.flatMap((line) => nameOf(closing.exec(line)) ?? []));
  if (closed.size === 0 && !lines.some((line) => nameOf(both.exec(line)) !== undefined))
    return lines;
  let fence = false;
  return lines.map((line, index) => {
    if (/^\s*(?:```|~~~)/.test(line)) fence = !fence;
    return fence ? line : withoutTag(line, closed, lines[index + 1] ?? '');
  });
}

function withoutTag(line: string, closed: ReadonlySet<string>, next: string): string {
  const start = nameOf(opening.exec(line));
  if (start !== undefined && closed.has(start)) return `## ${titleOf(start)}`;
  const end = nameOf(closing.exec(line));
  if (end !== undefined)
    return isExplaining(sectionKind(titleOf(end))) && !next.startsWith('<') ? after : rule;
  const whole = both.exec(line);
  const name = nameOf(whole);
  return name === undefined ? line : `**${titleOf(name)}:** ${whole?.[2] ?? ''}`;
}

/** Returns the name of a tag that HTML does not have. */
function nameOf(found: RegExpExecArray | null): string | undefined {
  const name = found?.[1]?.toLowerCase();
  return name === undefined || elements.has(name) ? undefined : name;
}

/** Returns a tag as a title: "acceptance_criteria" is "Acceptance criteria". */
function titleOf(tag: string): string {
  const words = tag.replace(/[_.-]+/g, ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
