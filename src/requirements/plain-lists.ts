/** The fewest lines of a list without marks. */
const fewestLines = 3;
const longestLine = 120;
/** Matches a line that may be an item without a mark: it begins like one, and goes on nowhere. */
const item = /^(?![-*+>#|]|\d+[.)]\s|```|~~~|\[|<)[\p{Lu}\d`"“].*[^\s,:;]$/u;

/**
 * Gives the lines of a list their marks if it has none: at least three lines below a line that ends
 * with a colon, each of which begins like an item. Text that was copied from a page is like that.
 */
export function withPlainLists(lines: readonly string[]): readonly string[] {
  const starts = plainLists(lines);
  if (starts.length === 0) return lines;
  const result = [...lines];
  for (const [from, to] of starts)
    for (let at = from; at < to; at += 1)
      if (lines[at]?.trim() !== '') result[at] = `- ${result[at] ?? ''}`;
  return result;
}

/** Returns the first line of each list without marks, and the line after it. */
function plainLists(lines: readonly string[]): [number, number][] {
  const inFence = fencedLines(lines);
  let above = '';
  return lines.flatMap((line, at): [number, number][] => {
    const leads = /^\S.*:$/.test(above) && !inFence.has(at);
    if (line.trim() !== '') above = line.trimEnd();
    const to = leads && item.test(line) ? endOfList(lines, at) : at;
    const items = lines.slice(at, to).filter((one) => one.trim() !== '');
    return items.length >= fewestLines ? [[at, to]] : [];
  });
}

/** Returns the places of the lines in fences. */
function fencedLines(lines: readonly string[]): Set<number> {
  let isOpen = false;
  return new Set(
    lines.flatMap((line, at) => {
      if (/^\s*(?:```|~~~)/.test(line)) isOpen = !isOpen;
      return isOpen ? [at] : [];
    }),
  );
}

/**
 * Returns the line after the items that begin at a line. Items may have empty lines between them;
 * then none is a sentence with a full stop, because such lines are paragraphs.
 */
function endOfList(lines: readonly string[], from: number): number {
  const isItem = (at: number): boolean =>
    item.test(lines[at] ?? '') && (lines[at] ?? '').length <= longestLine;
  const isEmpty = (at: number): boolean => (lines[at] ?? '').trim() === '';
  let to = from;
  if (!isEmpty(from + 1)) {
    while (isItem(to)) to += 1;
    return isEmpty(to) ? to : from;
  }
  const isApart = (at: number): boolean => isItem(at) && !/[.!?]$/.test(lines[at] ?? '');
  while (isApart(to) && isEmpty(to + 1)) to += 2;
  return to;
}
