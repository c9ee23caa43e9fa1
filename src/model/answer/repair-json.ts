import { hasDoubles, startsLikeBlock } from './scan-json.js';

/** The longest text that is repaired, in characters. */
const longestRepair = 64_000;

/**
 * Returns the value of a text that is almost JSON. It repairs quotes, commas, colons, and words of
 * other languages, such as `True`. Returns `undefined` if the repair would drop or change any other
 * character, or if a member occurs twice.
 */
export async function repairJson(text: string): Promise<{ readonly value: unknown } | undefined> {
  if (text.length > longestRepair || !startsLikeBlock(text)) return undefined;
  const { jsonrepair } = await import('jsonrepair');
  try {
    const repaired = jsonrepair(text);
    const value: unknown = JSON.parse(repaired);
    return hasDoubles(repaired, value) || !isFaithful(text, repaired) ? undefined : { value };
  } catch {
    return undefined;
  }
}

const tokens = /"(?:[^"\\]|\\(?:[\s\S]|$))*(?:"|$)|[{}[\],:]|[^\s{}[\],:"]+/g;

/**
 * Returns whether a repaired text contains each character of the given one, in its order, except
 * syntax: space between values, quotes around them, and commas at the end of a list.
 */
function isFaithful(given: string, repaired: string): boolean {
  let rest = given;
  for (const [token] of repaired.matchAll(tokens)) {
    const after = afterToken(rest.trimStart(), token);
    if (after === undefined) return false;
    rest = after;
  }
  return rest.trim() === '';
}

/** Returns the text behind a token that begins it, or that only the repair has. */
function afterToken(text: string, token: string): string | undefined {
  if (text.startsWith(token) && !token.startsWith('"')) return behind(text, token);
  if (token === ',' || token === ':') return text;
  if (token === '}' || token === ']')
    return text.startsWith(',') ? afterToken(text.slice(1).trimStart(), token) : undefined;
  if (token.startsWith('"')) return afterString(text, JSON.parse(token) as string);
  const other = ofOtherLanguages[token]?.find((word) => text.startsWith(word));
  return other && behind(text, other);
}

/** Returns the text behind a word or a bracket; `undefined` if the word goes on. */
function behind(text: string, token: string): string | undefined {
  return /^[\w.$+-]{2}$/.test(`${token.at(-1)}${text[token.length] ?? ' '}`)
    ? undefined
    : text.slice(token.length);
}

const ofOtherLanguages: Readonly<Record<string, readonly string[]>> = {
  true: ['True'],
  false: ['False'],
  null: ['None', 'undefined'],
};

const quote = /^["'`\u00B4\u2018\u2019\u201A\u201C\u201D\u201E]/;
const escaped = /^\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/;

/** Returns the text behind the name of a member that begins it, without quotes. */
function afterName(text: string, name: string): string | undefined {
  const after = text.slice(name.length);
  return /^[\w$]+$/.test(name) && text.startsWith(name) && /^\s*:/.test(after) ? after : undefined;
}

/** Returns the text behind a string that begins it, in quotes that it does not contain itself. */
function afterString(text: string, content: string): string | undefined {
  if (!quote.test(text)) return afterName(text, content);
  let at = 1;
  for (let done = 0; done < content.length; done += 1) {
    const found = text[at] === '\\' ? escaped.exec(text.slice(at, at + 6))?.[0] : undefined;
    const meant = found === undefined ? text[at] : (JSON.parse(`"${found}"`) as string);
    const isEnd = found === undefined && meant === text[0];
    if (isEnd || meant !== content[done]) return undefined;
    at += found?.length ?? 1;
  }
  return quote.test(text.slice(at, at + 1)) ? text.slice(at + 1) : undefined;
}
