/**
 * Which lines hold no prose: front matter, code fences, quoted documents between `"""` lines, HTML comments, the signature of a mail. An opening
 * without an end hides nothing, so that a forgotten fence does not swallow the rest of a task.
 */
export function hiddenLines(lines: readonly string[]): readonly boolean[] {
  const hidden = new Array<boolean>(lines.length).fill(false);
  for (const { from, end } of regionsOf(lines))
    if (end !== undefined) hidden.fill(true, from, end + 1);
  return hidden;
}

/** The lines that a parser of Markdown must not see: front matter, quoted documents, and openings without an end. */
export function unclosedLines(lines: readonly string[]): ReadonlySet<number> {
  const gone = new Set<number>();
  for (const { from, end, foreign } of regionsOf(lines)) {
    if (end === undefined) gone.add(from);
    else if (foreign) for (let index = from; index <= end; index += 1) gone.add(index);
  }
  return gone;
}

const longestSignature = 12;

interface Region {
  readonly from: number;
  /** Undefined where nothing ends it. */
  readonly end: number | undefined;
  /** Whether it is no part of the Markdown document. */
  readonly foreign: boolean;
}

function* regionsOf(lines: readonly string[]): Generator<Region> {
  const hopeless = new Map<string, number>();
  let index = 0;
  while (index < lines.length) {
    const region = regionAt(lines, index, hopeless);
    if (region !== undefined) yield region;
    index = (region?.end ?? index) + 1;
  }
}

function regionAt(
  lines: readonly string[],
  from: number,
  hopeless: Map<string, number>,
): Region | undefined {
  const line = lines[from]?.trim() ?? '';
  if (from === 0 && (line === '---' || line === '+++')) return frontMatter(lines, line);
  if (line.startsWith('<!--')) return commentAt(lines, from, hopeless);
  if (line === '--' && isSignature(lines, from))
    return { from, end: lines.length - 1, foreign: true };
  return fenceAt(lines, from, hopeless);
}

function frontMatter(lines: readonly string[], mark: string): Region | undefined {
  const end = find(lines, 0, (other) => other === mark || (mark === '---' && other === '...'));
  return end === undefined ? undefined : { from: 0, end, foreign: true };
}

function commentAt(
  lines: readonly string[],
  from: number,
  hopeless: Map<string, number>,
): Region | undefined {
  const line = lines[from]?.trim() ?? '';
  if (line.includes('-->'))
    return line.endsWith('-->') ? { from, end: from, foreign: false } : undefined;
  return {
    from,
    end: search({ lines, from, hopeless, mark: '-->', length: 1 }, (other) =>
      other.includes('-->'),
    ),
    foreign: false,
  };
}

/** Whether a `--` begins the signature of a mail: a few lines at the end, after a blank one. */
function isSignature(lines: readonly string[], from: number): boolean {
  const below = lines.slice(from + 1, from + 2 + longestSignature);
  return (
    from > 0 &&
    lines[from - 1]?.trim() === '' &&
    below.length <= longestSignature &&
    !below.some((line) => /^\s*(?:[-*+#]|\d+[.)])\s/.test(line))
  );
}

function fenceAt(
  lines: readonly string[],
  from: number,
  hopeless: Map<string, number>,
): Region | undefined {
  const line = lines[from]?.trim() ?? '';
  const opening = /^(?:`{3,}|~{3,}|"""|''')/.exec(line)?.[0];
  if (opening === undefined) return undefined;
  const mark = opening.charAt(0);
  const rest = line.slice(opening.length);
  if (mark === '`' ? rest.includes('`') : rest.includes(opening)) return undefined;
  const end = search(
    { lines, from, hopeless, mark, length: opening.length },
    (other) => other.length >= opening.length && isRunOf(other, mark),
  );
  const quoted = mark === '"' || mark === "'";
  return end === undefined && quoted ? undefined : { from, end, foreign: quoted };
}

interface Search {
  readonly lines: readonly string[];
  readonly from: number;
  readonly mark: string;
  readonly length: number;
  /** By mark, the shortest opening for which no end was found: nothing as long needs to be looked for again. */
  readonly hopeless: Map<string, number>;
}

function search(
  { lines, from, mark, length, hopeless }: Search,
  ends: (trimmed: string) => boolean,
): number | undefined {
  if (length >= (hopeless.get(mark) ?? Number.POSITIVE_INFINITY)) return undefined;
  const end = find(lines, from, ends);
  if (end === undefined) hopeless.set(mark, length);
  return end;
}

function find(
  lines: readonly string[],
  from: number,
  ends: (trimmed: string) => boolean,
): number | undefined {
  for (let index = from + 1; index < lines.length; index += 1) {
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
