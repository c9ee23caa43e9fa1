import { hasDoubles } from './scan-json.js';

/** The longest text that is repaired, in characters. */
const longestRepair = 64_000;

const startsLikeJson =
  /^[{[]\s*(?:["'“‘`{[\]}\d-]|\/[/*]|[\w$]+\s*:|(?:true|false|null|None|True|False)\b)/;

/**
 * Returns the value of a text that is almost JSON. It repairs quotes, commas and words of
 * other languages, such as `True`. Returns `undefined` if the repair would add or drop something,
 * or if a member occurs twice.
 */
export async function repairJson(text: string): Promise<{ readonly value: unknown } | undefined> {
  if (text.length > longestRepair || !startsLikeJson.test(text)) return undefined;
  const { jsonrepair } = await import('jsonrepair');
  try {
    const repaired = jsonrepair(text);
    const value: unknown = JSON.parse(repaired);
    if (typeof value !== 'object' || value === null || hasDoubles(repaired, value))
      return undefined;
    return isFaithful(text, repaired) ? { value } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns whether both texts contain the same words in the same order. Only comments may be
 * missing. The first text must not abbreviate with `...`.
 */
function isFaithful(given: string, repaired: string): boolean {
  const words = wordsOf(given);
  const kept = wordsOf(repaired);
  if (/\.\.\.|…/.test(given) && count(given, /\.\.\.|…/g) !== count(repaired, /\.\.\.|…/g))
    return false;
  if (words.length === kept.length) return words.every((word, index) => word === kept[index]);
  if (words.length < kept.length || !/\/\/|\/\*/.test(given)) return false;
  let at = 0;
  for (const word of words) if (word === kept[at]) at += 1;
  return at === kept.length && wordsOf(withoutComments(given)).length === kept.length;
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

function withoutComments(text: string): string {
  return text.replace(/"(?:[^"\\]|\\[\s\S])*"?|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g, (part) =>
    part.startsWith('"') ? part : ' ',
  );
}

const ofOtherLanguages: Readonly<Record<string, string>> = {
  True: 'true',
  False: 'false',
  None: 'null',
  undefined: 'null',
};

function wordsOf(text: string): string[] {
  return (text.replace(/\\[nrtbf]/g, ' ').match(/-?[\p{L}\p{N}_]+(?:\.\d+)?/gu) ?? []).map(
    (word) => ofOtherLanguages[word] ?? word,
  );
}
