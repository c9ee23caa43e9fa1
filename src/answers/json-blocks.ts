/** A part of a text that begins like an object or a list. */
export interface JsonBlock {
  readonly text: string;
  /** Whether its last bracket is there. */
  readonly closed: boolean;
  /** How many members all its objects have, by the colons outside of texts. */
  readonly members: number;
}

/** How often the search begins again behind a bracket that nothing closes; bounds the time. */
const mostRestarts = 16;

const fenced = /^[ \t]*```[^\n`]*\n([\s\S]*?)^[ \t]*```[ \t]*$/gm;

/** The parts of a text that may be JSON: what stands in code fences, and what stands outside of them. */
export function jsonBlocks(text: string): JsonBlock[] {
  if (!text.includes('```')) return blocksOf(text);
  const inside: string[] = [];
  const outside = text.replace(fenced, (_, body: string) => {
    inside.push(body);
    return '\n';
  });
  return [...inside, outside].flatMap(blocksOf);
}

function blocksOf(text: string): JsonBlock[] {
  const found: JsonBlock[] = [];
  let restarts = 0;
  for (let start = opening(text, 0); start >= 0; ) {
    const { end, members } = closing(text, start);
    if (end >= 0) {
      found.push({ text: text.slice(start, end), closed: true, members });
      start = opening(text, end);
      continue;
    }
    restarts += 1;
    const next = restarts > mostRestarts ? -1 : opening(text, start + 1);
    found.push({ text: text.slice(start, next < 0 ? undefined : next), closed: false, members });
    start = next;
  }
  return found;
}

function opening(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 123 || code === 91) return at;
  }
  return -1;
}

const steps: Readonly<Record<string, number>> = { '{': 1, '[': 1, '}': -1, ']': -1 };
const depthSteps = Int8Array.from({ length: 128 }, (_, code) => steps[String.fromCharCode(code)] ?? 0);

/** Where the block that begins at `start` ends; -1 where it does not. */
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

/** The quote that closes the text which begins at `start`; the end where none does. */
function endOfText(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === 92) slashes += 1;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}

/** How many members the objects of a value have, all levels together. */
export function membersOf(value: unknown): number {
  const open: unknown[] = [value];
  let count = 0;
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    if (typeof item !== 'object' || item === null) continue;
    const inner = Object.values(item);
    if (!Array.isArray(item)) count += inner.length;
    for (const part of inner) if (typeof part === 'object' && part !== null) open.push(part);
  }
  return count;
}
