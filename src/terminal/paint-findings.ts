import type { Severity } from '../core/gap.js';
import type { Paint } from './paint.js';

const finding = /^([ \t]*)(CRITICAL|MAJOR|MINOR)(?=: )/gm;
const verdict = /^(Verdict: )(REVIEW_\w+)/gm;

/** Returns sanitised findings with coloured severities and a coloured verdict. */
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
