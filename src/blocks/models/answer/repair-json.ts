/** In characters. */
const longestRepair = 64_000;

/**
 * Repairs quotes, commas, colons, and words of other languages, such as `True`. Returns `undefined`
 * if the repair would drop or change any other character, or if a member occurs twice.
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

/** The token begins the text, or only the repair has it. */
function afterToken(text: string, token: string): string | undefined {
  if (text.startsWith(token) && !token.startsWith('"')) return behind(text, token);
  if (token === ',' || token === ':') return text;
  if (token === '}' || token === ']')
    return text.startsWith(',') ? afterToken(text.slice(1).trimStart(), token) : undefined;
  if (token.startsWith('"')) return afterString(text, JSON.parse(token) as string);
  const other = ofOtherLanguages[token]?.find((word) => text.startsWith(word));
  return other && behind(text, other);
}

/** `undefined` if the word goes on. */
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

export interface JsonScan {
  /** The place after the bracket that closes the first one; -1 if none does. */
  readonly end: number;
  /** The number of colons outside of strings. */
  readonly members: number;
  readonly depth: number;
}

const steps: Readonly<Record<string, number>> = { '{': 1, '[': 1, '}': -1, ']': -1 };

const depthSteps = Int8Array.from(
  { length: 128 },
  (_, code) => steps[String.fromCharCode(code)] ?? 0,
);

export function startsLikeBlock(text: string): boolean {
  const code = text.charCodeAt(0);
  return code === 123 || code === 91;
}

export function scanJson(text: string): JsonScan {
  let open = 0;
  let depth = 0;
  let members = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 34) at = endOfText(text, at);
    members += Number(code === 58);
    open += depthSteps[code] ?? 0;
    depth = Math.max(depth, open);
    if (open === 0) return { end: at + 1, members, depth };
  }
  return { end: -1, members, depth };
}

/** Returns the place of the quote that closes the string at `start`, or the end of the text. */
function endOfText(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === 92) slashes += 1;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}

/** `JSON.parse` keeps only the last of two members with one name. */
export function hasDoubles(text: string, value: unknown): boolean {
  if (!hasParts(value)) return false;
  return scanJson(text.trimStart()).members !== membersOf(value);
}

function membersOf(value: unknown): number {
  const open: unknown[] = [value];
  let count = 0;
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    if (Array.isArray(item)) addParts(item, open);
    else count += addMembers(item as Readonly<Record<string, unknown>>, open);
  }
  return count;
}

function addParts(list: readonly unknown[], open: unknown[]): void {
  for (const part of list) if (hasParts(part)) open.push(part);
}

/** Adds the members with parts to `open`. */
function addMembers(members: Readonly<Record<string, unknown>>, open: unknown[]): number {
  let count = 0;
  for (const name in members) {
    count += 1;
    const part = members[name];
    if (hasParts(part)) open.push(part);
  }
  return count;
}

function hasParts(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
