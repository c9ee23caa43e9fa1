import { isIdentified, labelOf } from './shape.js';

/** A part of a paragraph that was typed as its own line; lines are counted from the paragraph's first line, which is 0. */
export interface Piece {
  readonly from: number;
  readonly lines: readonly string[];
  /** The sign that makes it an item in plain text; undefined for running text. */
  readonly form: 'bullet' | 'numbered' | undefined;
}

const bullet = /^(?:[•‣◦▪●○·∙➢➤✓✔☐☑□■◆]|[–—](?=\s))\s*(?=\S)/u;
const numbered =
  /^(?:\(?(\d{1,3}|[a-z]|[ivx]{1,4})\)|(\d{1,3}(?:\.\d{1,3}){0,4})[.)]?|([a-z])\.)\s+(?=\S)/;

/**
 * Cuts a paragraph where a line begins with a sign of plain text that Markdown does not know ("•", "a)", "1.2", "REQ-3:"), or
 * with a label ("Priority: high"). A label without words behind it stands alone.
 */
export function piecesOf(lines: readonly string[]): Piece[] {
  const pieces: { from: number; lines: string[]; form: Piece['form']; closed: boolean }[] = [];
  for (const [index, line] of lines.entries()) {
    const open = pieces.at(-1);
    const free =
      open === undefined || open.form !== undefined || endsThought(lines[index - 1] ?? '');
    const begun = beginning(line, free);
    if (begun !== undefined) pieces.push({ from: index, ...begun });
    else if (open === undefined || open.closed)
      pieces.push({ from: index, lines: [line], form: undefined, closed: false });
    else open.lines.push(line);
  }
  return pieces;
}

/** The piece that begins with a line, if one begins there whatever stands before it. */
function beginning(
  line: string,
  free: boolean,
): { lines: string[]; form: Piece['form']; closed: boolean } | undefined {
  const sign = signOf(line, free);
  if (sign !== undefined)
    return { lines: [line.slice(sign.length)], form: sign.form, closed: false };
  const label = labelOf(line);
  if (isIdentified(line)) return { lines: [line], form: 'numbered', closed: label?.rest === '' };
  return label === undefined
    ? undefined
    : { lines: [line], form: undefined, closed: label.rest === '' };
}

function signOf(
  line: string,
  free: boolean,
): { readonly form: 'bullet' | 'numbered'; readonly length: number } | undefined {
  const dot = bullet.exec(line);
  if (dot !== null) return { form: 'bullet', length: dot[0].length };
  if (!free) return undefined;
  const number = numbered.exec(line);
  if (number === null || (number[2] !== undefined && !/[.)]/.test(number[0]))) return undefined;
  return { form: 'numbered', length: number[0].length };
}

function endsThought(line: string): boolean {
  return /[.:;!?][*_)"']{0,3}$/.test(line);
}
