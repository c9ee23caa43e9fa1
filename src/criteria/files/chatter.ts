import type { Found } from '../artifact-criterion.js';
import { foundAt, type TextFile } from './file-rule.js';

const opening: readonly RegExp[] = [
  /^(?:certainly|sure|sure thing|of course|absolutely|great)[!,.][ \t]+(?:here|i(?:'ll|'ve| will| have| can)|below|let(?:'s| me))\b/i,
  /^(?:certainly|of course|absolutely)!$/i,
  /^here(?:'s|’s| is| are) (?:the|your|an?) (?:updated|revised|complete|completed|full|final|modified|corrected|fixed|improved|requested|rewritten|refactored)\b[^\n]{0,150}:$/i,
  /^i(?:'ve|’ve| have) (?:updated|revised|modified|corrected|fixed|rewritten|created|added|refactored) the (?:file|code|document)\b/i,
];
const closing: readonly RegExp[] = [
  /^(?:i )?hope (?:this|that) helps\b/i,
  /^let me know if (?:you(?:'d| would) like me to|you want me to|i should)\b/i,
  /^would you like me to\b/i,
  /^is there anything else (?:i can|you(?:'d| would) like)\b/i,
];
const refusal: readonly RegExp[] = [
  /^as an ai(?: language model| assistant)?,? (?:i|my)\b/i,
  /^i(?:'m|’m| am) (?:sorry|unable)[^\n]{0,40}\b(?:cannot|can't|can’t|unable to|not able to) (?:assist|help|comply|provide|fulfil|create|generate)\b/i,
  /^i (?:cannot|can't|can’t) (?:assist|help) with (?:that|this)\b/i,
];
const reach = 3;

/**
 * Finds words of an assistant at the beginning and the end of a file, and refusals anywhere. It
 * ignores quotes.
 */
export function chatterIn(
  file: TextFile,
  lines: readonly { readonly text: string; readonly start: number }[],
): Found[] {
  const said = lines.filter(({ text }) => text.trim() !== '');
  return said.flatMap(({ text, start }, index) => {
    if (text.length > 1000) return [];
    const line = text.trim().replace(/^(?:\*\*|__)/, '');
    const isFirst = index < reach;
    const isLast = index >= said.length - reach;
    const isMeant =
      refusal.some((pattern) => pattern.test(line)) ||
      (isFirst && opening.some((pattern) => pattern.test(line))) ||
      (isLast && closing.some((pattern) => pattern.test(line)));
    return isMeant
      ? [
          foundAt(
            file,
            { start: start + text.indexOf(text.trim()) },
            {
              description: 'the file contains words of an assistant',
              suggestedFix: 'Keep the work, and remove the words about it',
            },
          ),
        ]
      : [];
  });
}
