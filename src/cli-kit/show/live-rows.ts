import { tokensOf, type Usage } from '../../core/usage.js';
import type { Paint } from '../../terminal/colours.js';
import { oneLine } from '../../terminal/sanitise.js';
import { cut, pad, widthOf } from '../../terminal/table.js';

/** The most rows of a live block, unless a flag asks for more. */
export const mostRows = 8;

/** How long a picture of the moving sign is shown, in milliseconds. */
const pictureMs = 125;

const pictures = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏';

/** Returns the sign that moves while something works. */
export function movingSign(elapsedMs: number): string {
  return pictures.charAt(Math.floor(elapsedMs / pictureMs) % pictures.length);
}

/** One thing in a live block: a reviewer or a task. */
export interface LiveItem {
  /** One character that tells the state. */
  readonly sign: string;
  readonly style: 'good' | 'bad' | 'minor' | 'faint';
  readonly name: string;
  /** How long it works, or worked. */
  readonly ms?: number | undefined;
  /** What else is known: tokens, money, the expected time. */
  readonly facts: readonly string[];
}

/** Returns the first row of a live block: the sign, the elapsed time, and what changes fastest. */
export function headRow(elapsedMs: number, parts: readonly string[], columns: number): string {
  const shown = parts.filter((part) => part !== '').map(oneLine);
  return cut([`${movingSign(elapsedMs)} ${durationText(elapsedMs)}`, ...shown].join('  '), columns);
}

/** Returns a row for each thing: sign, time, name and facts, in columns. */
export function itemRows(
  items: readonly LiveItem[],
  { columns, paint }: { readonly columns: number; readonly paint: Paint },
): string[] {
  const times = items.map(({ ms }) => (ms === undefined ? '' : durationText(ms)));
  const timeWidth = Math.max(0, ...times.map(widthOf));
  const names = items.map(({ name }) => oneLine(name));
  const nameWidth = Math.min(Math.floor(columns / 2), Math.max(0, ...names.map(widthOf)));
  return items.map(({ sign, style, facts }, index) => {
    const time = (times[index] ?? '').padStart(timeWidth);
    const name = pad(cut(names[index] ?? '', nameWidth), nameWidth);
    const text = [time, name, ...facts.map(oneLine)].join('  ').trimEnd();
    return `  ${paint(style, sign)} ${cut(text, Math.max(0, columns - 4))}`;
  });
}

/** Returns a duration for people: `12 s`, `3 min 5 s`, `1 h 2 min`. */
export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Returns a number of tokens for people: `812 tok`, `12.4k tok`. */
function tokensText(tokens: number): string {
  if (tokens < 1000) return `${tokens} tok`;
  return tokens < 1_000_000
    ? `${(tokens / 1000).toFixed(1)}k tok`
    : `${(tokens / 1_000_000).toFixed(1)}m tok`;
}

/** Returns tokens and money of a usage; what is unknown is left out. */
export function usageTexts(usage: Usage): string[] {
  const tokens = tokensOf(usage);
  const { costUsd } = usage;
  return [
    ...(tokens === undefined ? [] : [tokensText(tokens)]),
    ...(costUsd === undefined ? [] : [`$${moneyText(costUsd)}`]),
  ];
}

/** Returns an amount with two decimals; a small one with two figures. */
function moneyText(usd: number): string {
  return usd > 0 && usd < 0.01 ? String(Number(usd.toPrecision(2))) : usd.toFixed(2);
}
