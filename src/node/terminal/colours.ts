import { styleText } from 'node:util';
import type { Severity } from '../../core/gap.js';
import type { Environment } from './reader.js';

export const showCursor = '\u001b[?25h';

export const clearBlock = '\r\u001b[J';

interface Stream {
  readonly isTTY?: boolean | undefined;
}

/** A terminal does. `FORCE_COLOR` decides before `NO_COLOR`, as in Node; then comes `TERM=dumb`. */
export function hasColours({ isTTY }: Stream, environment: Environment = process.env): boolean {
  const { FORCE_COLOR: forced, NO_COLOR: refused = '', TERM: kind } = environment;
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return isTTY === true && refused === '' && kind !== 'dumb';
}

export function movesCursor(stream: Stream, environment: Environment = process.env): boolean {
  const { TERM: kind } = environment;
  return stream.isTTY === true && kind !== 'dumb' && hasColours(stream, environment);
}

const styles = {
  critical: ['red', 'bold'],
  major: 'red',
  minor: 'yellow',
  good: ['green', 'bold'],
  bad: ['red', 'bold'],
  faint: 'dim',
} as const;

/** Returns a sanitised text in a style, or the text itself without colours. */
export type Paint = (style: Severity | 'good' | 'bad' | 'faint', text: string) => string;

export function paintFor(colours: boolean): Paint {
  return (style, text) =>
    colours ? styleText([...[styles[style]].flat()], text, { validateStream: false }) : text;
}

const finding = /^([ \t]*)(CRITICAL|MAJOR|MINOR)(?=: )/gm;

const verdict = /^(Verdict: )(REVIEW_\w+)/gm;

export function paintFindings(text: string, paint: Paint): string {
  return text
    .replace(
      finding,
      (_, space: string, word: string) => `${space}${paint(word.toLowerCase() as Severity, word)}`,
    )
    .replace(
      verdict,
      (_, before: string, word: string) =>
        `${before}${paint(/PASSED|FIXED/.test(word) ? 'good' : 'bad', word)}`,
    );
}
