import { styleText } from 'node:util';
import type { Severity } from '../core/gap.js';

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

/** Returns a function that colours texts; without colours it returns them unchanged. */
export function paintFor(colours: boolean): Paint {
  return (style, text) =>
    colours ? styleText([...[styles[style]].flat()], text, { validateStream: false }) : text;
}
