/**
 * Which lines hold no prose: front matter, code fences, quoted documents between `"""` lines, HTML comments. An opening
 * without an end hides nothing, so that a forgotten fence does not swallow the rest of a task.
 */
export function hiddenLines(lines: readonly string[]): readonly boolean[] {
  const hidden = new Array<boolean>(lines.length).fill(false);
  const hopeless = new Map<string, number>();
  let index = 0;
  while (index < lines.length) {
    const end = endOf(lines, index, hopeless);
    if (end !== undefined) hidden.fill(true, index, end + 1);
    index = (end ?? index) + 1;
  }
  return hidden;
}

/** The last line of the region that begins on a line, if one begins there and ends. */
function endOf(lines: readonly string[], start: number, hopeless: Map<string, number>): number | undefined {
  const line = lines[start]?.trim() ?? '';
  if (start === 0 && line === '---') return find(lines, start, (other) => other === '---');
  if (line.startsWith('<!--') && line.includes('-->')) return line.endsWith('-->') ? start : undefined;
  if (line.startsWith('<!--')) return search({ lines, start, hopeless, mark: '-->', length: 1 }, (other) => other.includes('-->'));
  return endOfFence(lines, start, hopeless);
}

function endOfFence(lines: readonly string[], start: number, hopeless: Map<string, number>): number | undefined {
  const line = lines[start]?.trim() ?? '';
  const opening = /^(?:`{3,}|~{3,}|"""|''')/.exec(line)?.[0];
  if (opening === undefined) return undefined;
  const mark = opening.charAt(0);
  const rest = line.slice(opening.length);
  if (mark === '`' ? rest.includes('`') : rest.includes(opening)) return undefined;
  return search({ lines, start, hopeless, mark, length: opening.length }, (other) => other.length >= opening.length && isRunOf(other, mark));
}

interface Search {
  readonly lines: readonly string[];
  readonly start: number;
  readonly mark: string;
  readonly length: number;
  /** By mark, the shortest opening for which no end was found: nothing as long needs to be looked for again. */
  readonly hopeless: Map<string, number>;
}

function search({ lines, start, mark, length, hopeless }: Search, ends: (trimmed: string) => boolean): number | undefined {
  if (length >= (hopeless.get(mark) ?? Number.POSITIVE_INFINITY)) return undefined;
  const end = find(lines, start, ends);
  if (end === undefined) hopeless.set(mark, length);
  return end;
}

function find(lines: readonly string[], start: number, ends: (trimmed: string) => boolean): number | undefined {
  for (let index = start + 1; index < lines.length; index += 1) {
    if (ends(lines[index]?.trim() ?? '')) return index;
  }
  return undefined;
}

function isRunOf(text: string, mark: string): boolean {
  for (const character of text) {
    if (character !== mark) return false;
  }
  return true;
}
