import { checkKeys, checkWhole } from '../options.js';
import type { Diff, DiffFile } from './diff-source.js';
import { bytesOf, hunkText, isWellFormed, wellFormed } from './diff-text.js';

/** A diff that was shortened to a limit. */
export interface FittedDiff {
  readonly text: string;
  /** The bytes of the text in UTF-8. */
  readonly bytes: number;
  /** The files that are missing or incomplete in the text. */
  readonly leftOut: readonly OmittedFile[];
}

export interface OmittedFile {
  readonly path: string;
  readonly hunks: number;
  readonly lines: number;
  /** Whether even the name is missing in the text. */
  readonly unnamed: boolean;
}

/** It has room for a note about missing files. */
const leastBytes = 200;

interface Part {
  readonly file: DiffFile;
  readonly index: number;
  /** The number of complete hunks that are shown; -1 for the name only. */
  shown: number;
  lines: number;
}

/**
 * Returns a diff in at most `maxBytes` bytes of UTF-8. The text names every file, or says how many
 * names did not fit. Small files stay complete. Larger files are cut between hunks, and a marker
 * says what is missing. Only if the first hunk is too large, it is cut between lines.
 *
 * @throws ReviewLoopError `invalid_options` if `maxBytes` is below 200
 * @example
 * ```ts
 * const { text, leftOut } = fitDiff(diff, { maxBytes: 30_000 });
 * ```
 */
export function fitDiff(
  diff: Pick<Diff, 'files' | 'text'>,
  options: { readonly maxBytes: number },
): FittedDiff {
  checkKeys('fitDiff', options, ['maxBytes']);
  const { maxBytes } = options;
  checkWhole('maxBytes', maxBytes, leastBytes);
  const whole = bytesOf(diff.text);
  if (whole <= maxBytes && isWellFormed(diff.text) && diff.files.every(({ omitted }) => !omitted))
    return { text: diff.text, bytes: whole, leftOut: [] };
  const parts = diff.files.map((file, index): Part => ({ file, index, shown: -1, lines: 0 }));
  const names = parts.reduce((sum, part) => sum + bytesOf(textOf(part)), 0);
  if (names > maxBytes) return namesOnly(parts, maxBytes);
  let left = maxBytes - names;
  const bySize = [...parts].sort((a, b) => sizeOf(a.file) - sizeOf(b.file) || a.index - b.index);
  for (const [index, part] of bySize.entries())
    left -= grow(part, Math.floor(left / (bySize.length - index)));
  for (const part of parts) left -= grow(part, left);
  const text = parts.map(textOf).join('');
  return {
    text,
    bytes: bytesOf(text),
    leftOut: parts.flatMap(({ file, shown, lines }) => leftOutOf(file, { shown, lines })),
  };
}

/** Returns how many bytes more the part takes. */
function grow(part: Part, room: number): number {
  const before = bytesOf(textOf(part));
  const fits = (shown: number, lines: number): boolean =>
    bytesOf(textOf({ ...part, shown, lines })) - before <= room;
  if (part.file.omitted || (part.shown === part.file.hunks.length && part.lines === 0)) return 0;
  const { hunks } = part.file;
  let shown = part.shown;
  while (shown < hunks.length && fits(shown + 1, 0)) shown += 1;
  let lines = 0;
  const [first] = hunks;
  if (shown <= 0 && first !== undefined) {
    lines = mostThatFit(first.lines.length - 1, (count) => fits(0, count));
    if (lines > 0) shown = 0;
  }
  if (shown < part.shown || (shown === part.shown && lines <= part.lines)) return 0;
  part.shown = shown;
  part.lines = lines;
  return bytesOf(textOf(part)) - before;
}

function mostThatFit(most: number, fits: (count: number) => boolean): number {
  let low = 0;
  let high = most;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

function textOf({ file, shown, lines }: Omit<Part, 'index'>): string {
  if (shown === -1 && (file.hunks.length > 0 || file.omitted))
    return `[${describe(file)}: left out]\n`;
  if (shown === -1) return `[${describe(file)}]\n`;
  const { hunks } = file;
  const cut = lines > 0 ? hunks[shown] : undefined;
  const body = hunks.slice(0, shown).map(hunkText).join('');
  const part = cut === undefined ? '' : hunkText({ ...cut, lines: cut.lines.slice(0, lines) });
  return wellFormed(`${file.header}${body}${part}${markerOf(file, { shown, lines })}`);
}

function markerOf(
  file: DiffFile,
  shown: { readonly shown: number; readonly lines: number },
): string {
  const [missing] = leftOutOf(file, shown);
  return missing === undefined
    ? ''
    : `[${missing.hunks} of ${file.hunks.length} hunks, ` +
        `${missing.lines} lines of ${nameText(file.path)} left out]\n`;
}

function leftOutOf(
  file: DiffFile,
  { shown, lines }: { readonly shown: number; readonly lines: number },
): OmittedFile[] {
  if (file.omitted)
    return [
      {
        path: file.path,
        hunks: file.hunks.length,
        lines: file.added + file.removed,
        unnamed: false,
      },
    ];
  const missing = file.hunks.slice(Math.max(0, shown));
  if (missing.length === 0) return [];
  return [
    {
      path: file.path,
      hunks: missing.length,
      lines: missing.reduce((sum, hunk) => sum + hunk.lines.length, 0) - lines,
      unnamed: false,
    },
  ];
}

function namesOnly(parts: readonly Part[], maxBytes: number): FittedDiff {
  const total = parts.length;
  const closing = (count: number): string =>
    `[${count} of ${total} files are not named: the list of their names is too long]\n`;
  const room = maxBytes - bytesOf(closing(total));
  const lines: string[] = [];
  let used = 0;
  for (const part of parts) {
    const line = textOf(part);
    used += bytesOf(line);
    if (used > room) break;
    lines.push(line);
  }
  const text = `${lines.join('')}${closing(total - lines.length)}`;
  const leftOut = parts.map(
    ({ file }, index): OmittedFile => ({
      path: file.path,
      hunks: file.hunks.length,
      lines: file.added + file.removed,
      unnamed: index >= lines.length,
    }),
  );
  return { text, bytes: bytesOf(text), leftOut };
}

function describe({ status, path, oldPath, added, removed, binary }: DiffFile): string {
  const from = oldPath === undefined ? '' : `${nameText(oldPath)} -> `;
  return `${status} ${from}${nameText(path)} ${binary ? '(binary)' : `(+${added} -${removed})`}`;
}

function nameText(path: string): string {
  return wellFormed(/\p{Cc}/u.test(path) ? JSON.stringify(path) : path);
}

function sizeOf({ header, hunks }: DiffFile): number {
  return (
    header.length +
    hunks.reduce(
      (sum, { lines }) => sum + lines.reduce((length, line) => length + line.length + 1, 0),
      0,
    )
  );
}
