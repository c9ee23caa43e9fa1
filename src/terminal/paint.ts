import { styleText } from 'node:util';
import type { Severity } from '../core/severity.js';

const styles = {
  critical: ['red', 'bold'],
  major: 'red',
  minor: 'yellow',
  good: ['green', 'bold'],
  bad: ['red', 'bold'],
  faint: 'dim',
} as const;

/** Colours a text that is already sanitised; without colours it stays as it is. */
export type Paint = (style: Severity | 'good' | 'bad' | 'faint', text: string) => string;

/** The paint of a terminal, or of something that shows no colours. */
export function paintFor(colours: boolean): Paint {
  return (style, text) =>
    colours ? styleText([...[styles[style]].flat()], text, { validateStream: false }) : text;
}
