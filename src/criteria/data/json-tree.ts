import type { DataError, DataMember, DataNode, DataTree } from './data-node.js';

interface Open {
  readonly kind: 'object' | 'array';
  readonly start: number;
  readonly items: DataNode[];
  readonly members: DataMember[];
  key: string | undefined;
}

class JsonProblem extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const wordPattern = /[A-Za-z_$][\w$]*/y;
const blankPattern = /[ \t\r\n]*/y;
const words: Readonly<Record<string, unknown>> = { true: true, false: false, null: null };

/**
 * Reads JSON with the place of each part. It takes linear time and does not recurse, so it handles
 * any length and depth.
 *
 * @param relaxed - Whether comments and commas before a closing bracket are allowed, as in
 *   `tsconfig.json`.
 */
export function readJson(
  source: string,
  { relaxed = false }: { readonly relaxed?: boolean } = {},
): DataTree {
  try {
    return { root: new JsonReader(source, relaxed).document() };
  } catch (problem) {
    if (problem instanceof JsonProblem)
      return { error: { message: problem.message, offset: problem.offset } satisfies DataError };
    throw problem;
  }
}

class JsonReader {
  readonly #source: string;
  readonly #relaxed: boolean;
  readonly #open: Open[] = [];
  #at = 0;

  constructor(source: string, relaxed: boolean) {
    this.#source = source;
    this.#relaxed = relaxed;
    if (source.startsWith('\ufeff')) this.#at = 1;
  }

  document(): DataNode {
    let done = this.#value();
    while (done === undefined || this.#open.length > 0)
      done = done === undefined ? this.#next() : this.#after(done);
    this.#skip();
    if (this.#at < this.#source.length) throw this.#problem('unexpected text after the end');
    return done;
  }

  /** Reads after an opening bracket or a comma. Returns `undefined` while containers open. */
  #next(): DataNode | undefined {
    const open = this.#open.at(-1);
    this.#skip();
    const isFirst = open === undefined || (open.items.length === 0 && open.members.length === 0);
    if (open !== undefined && this.#source[this.#at] === closer(open) && (isFirst || this.#relaxed))
      return this.#close(open);
    if (open?.kind === 'object') this.#key(open);
    return this.#value();
  }

  /** Adds a finished value to its container, and continues. */
  #after(node: DataNode): DataNode | undefined {
    const open = this.#open.at(-1);
    if (open === undefined) return node;
    if (open.kind === 'array') open.items.push(node);
    else open.members.push({ key: open.key ?? '', node });
    this.#skip();
    const sign = this.#source[this.#at];
    if (sign === closer(open)) return this.#close(open);
    if (sign !== ',') throw this.#problem(`expected a comma or ${closer(open)}`);
    this.#at += 1;
    return this.#next();
  }

  #close(open: Open): DataNode {
    this.#open.pop();
    this.#at += 1;
    const { kind, start, items, members } = open;
    return kind === 'array'
      ? { kind, items, start, end: this.#at }
      : { kind, members, start, end: this.#at };
  }

  #key(open: Open): void {
    if (this.#source[this.#at] !== '"') throw this.#problem('expected a name in double quotes');
    open.key = String(this.#string().value);
    this.#skip();
    if (this.#source[this.#at] !== ':') throw this.#problem('expected a colon');
    this.#at += 1;
  }

  #value(): DataNode | undefined {
    this.#skip();
    const start = this.#at;
    const sign = this.#source[start];
    if (sign === '{' || sign === '[') {
      this.#open.push({
        kind: sign === '{' ? 'object' : 'array',
        start,
        items: [],
        members: [],
        key: undefined,
      });
      this.#at += 1;
      return undefined;
    }
    if (sign === '"') return this.#string();
    const word = this.#match(wordPattern);
    if (word !== '') {
      if (!Object.hasOwn(words, word))
        throw this.#problem(`${word.slice(0, 40)} is not a value`, start);
      return { kind: 'scalar', value: words[word], start, end: this.#at };
    }
    const number = this.#match(numberPattern);
    if (number === '')
      throw this.#problem(sign === undefined ? 'unexpected end' : 'expected a value');
    return { kind: 'scalar', value: Number(number), start, end: this.#at };
  }

  #string(): DataNode {
    const start = this.#at;
    let end = start + 1;
    for (; this.#source[end] !== '"'; end += 1) {
      const code = this.#source.charCodeAt(end);
      if (Number.isNaN(code)) throw this.#problem('unclosed string', start);
      if (code < 0x20)
        throw this.#problem(
          code === 10 || code === 13 ? 'unclosed string' : 'control character in a string',
          end,
        );
      if (code === 0x5c) end += 1;
    }
    this.#at = end + 1;
    try {
      return {
        kind: 'scalar',
        value: JSON.parse(this.#source.slice(start, this.#at)),
        start,
        end: this.#at,
      };
    } catch {
      throw this.#problem('invalid escape in a string', start);
    }
  }

  #skip(): void {
    this.#match(blankPattern);
    while (this.#relaxed && this.#comment()) this.#match(blankPattern);
  }

  #comment(): boolean {
    const isLine = this.#source.startsWith('//', this.#at);
    if (!isLine && !this.#source.startsWith('/*', this.#at)) return false;
    const end = this.#source.indexOf(isLine ? '\n' : '*/', this.#at + 2);
    if (end === -1 && !isLine) throw this.#problem('unclosed comment');
    this.#at = end === -1 ? this.#source.length : end + (isLine ? 1 : 2);
    return true;
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#source)?.[0] ?? '';
    this.#at += found.length;
    return found;
  }

  #problem(message: string, offset = this.#at): JsonProblem {
    return new JsonProblem(message, offset);
  }
}

function closer({ kind }: Open): string {
  return kind === 'array' ? ']' : '}';
}
