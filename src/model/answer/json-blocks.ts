/** A part of a text that begins like an object or a list. */
export interface JsonBlock {
  readonly text: string;
  /** Whether its last bracket was found. */
  readonly closed: boolean;
  /** The parsed value; `undefined` if the text is not JSON. */
  readonly value: unknown;
}

/** How often the search starts again after an unclosed bracket. It bounds the time. */
const mostRestarts = 8;

const fenceMark = '```';

/** Returns the parts of a text that may be JSON: first inside code fences, then outside. */
export function jsonBlocks(text: string): JsonBlock[] {
  const { inside, outside } = partsOf(text);
  const found: JsonBlock[] = [];
  for (const part of inside) addBlocks(part, found);
  addBlocks(outside, found);
  return found;
}

/** Returns the bodies of code fences, and the rest. */
function partsOf(text: string): { readonly inside: readonly string[]; readonly outside: string } {
  const inside: string[] = [];
  let outside = '';
  let at = 0;
  for (let mark = fenceAt(text, 0); mark >= 0; mark = fenceAt(text, at)) {
    const body = text.indexOf('\n', mark) + 1;
    const end = body === 0 ? -1 : fenceAt(text, body);
    if (end < 0) break;
    outside += text.slice(at, mark);
    inside.push(text.slice(body, end));
    at = end + fenceMark.length;
  }
  return { inside, outside: at === 0 ? text : outside + text.slice(at) };
}

/** Returns the place of the next fence at the beginning of a line; -1 if there is none. */
function fenceAt(text: string, from: number): number {
  for (
    let at = text.indexOf(fenceMark, from);
    at >= 0;
    at = text.indexOf(fenceMark, at + fenceMark.length)
  ) {
    let start = at;
    while (start > from && (text.charCodeAt(start - 1) === 32 || text.charCodeAt(start - 1) === 9))
      start -= 1;
    if (start === 0 || text.charCodeAt(start - 1) === 10) return at;
  }
  return -1;
}

function addBlocks(text: string, found: JsonBlock[]): void {
  const start = opening(text, 0);
  if (start < 0) return;
  const whole = text.trim();
  const value = whole.charCodeAt(0) === text.charCodeAt(start) ? parsedJson(whole) : undefined;
  if (value === undefined) scan(text, start, found);
  else found.push({ text: whole, closed: true, value });
}

function scan(text: string, from: number, found: JsonBlock[]): void {
  let restarts = 0;
  for (let start = from; start >= 0; ) {
    const { end } = closing(text, start);
    if (end >= 0) {
      const block = text.slice(start, end);
      found.push({ text: block, closed: true, value: parsedJson(block) });
      start = opening(text, end);
      continue;
    }
    restarts += 1;
    const next = restarts > mostRestarts ? -1 : opening(text, start + 1);
    found.push({
      text: text.slice(start, next < 0 ? undefined : next),
      closed: false,
      value: undefined,
    });
    start = next;
  }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function opening(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 123 || code === 91) return at;
  }
  return -1;
}

const steps: Readonly<Record<string, number>> = { '{': 1, '[': 1, '}': -1, ']': -1 };
const depthSteps = Int8Array.from(
  { length: 128 },
  (_, code) => steps[String.fromCharCode(code)] ?? 0,
);

/** Returns the end of the block that begins at `start`; -1 if it is not closed. */
function closing(text: string, start: number): { readonly end: number; readonly members: number } {
  let depth = 0;
  let members = 0;
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 34) at = endOfText(text, at);
    else if (code === 58) members += 1;
    else {
      depth += depthSteps[code] ?? 0;
      if (depth === 0) return { end: at + 1, members };
    }
  }
  return { end: -1, members };
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

/**
 * Returns whether an object in the text has a member twice. `JSON.parse` keeps only the last one.
 */
export function hasDoubles(text: string, value: unknown): boolean {
  const members = membersOf(value);
  return namesIn(text) !== members && closing(text, opening(text, 0)).members !== members;
}

/**
 * Returns how many quotes are followed by a colon. Without spaces or such pairs in strings, that is
 * the number of members.
 */
function namesIn(text: string): number {
  let times = 0;
  for (let at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1))
    if (text.charCodeAt(at - 1) === 34) times += 1;
  return times;
}

/** Returns how many members the objects of a value have, on all levels. */
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

/** Returns the number of members of a parsed object, and adds the members with parts to `open`. */
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
