/** What the brackets of a text say. */
export interface JsonScan {
  /** The place after the bracket that closes the first one; -1 if none does. */
  readonly end: number;
  /** The number of colons outside of strings. */
  readonly members: number;
  /** The greatest number of brackets that are open at once. */
  readonly depth: number;
}

const steps: Readonly<Record<string, number>> = { '{': 1, '[': 1, '}': -1, ']': -1 };
const depthSteps = Int8Array.from(
  { length: 128 },
  (_, code) => steps[String.fromCharCode(code)] ?? 0,
);

/** Returns whether a text begins like an object or a list. */
export function startsLikeBlock(text: string): boolean {
  const code = text.charCodeAt(0);
  return code === 123 || code === 91;
}

/** Scans the object or list that begins a text. */
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

/**
 * Returns whether an object in the text has a member twice. `JSON.parse` keeps only the last one.
 */
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
