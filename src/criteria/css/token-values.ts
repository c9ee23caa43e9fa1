const mostTokens = 20_000;
const deepest = 20;

/** Design tokens by value. A value with several tokens has no replacement. */
export class TokenValues {
  readonly #names = new Map<string, Set<string>>();
  readonly #defined = new Set<string>();

  /** Adds a custom property of a stylesheet, such as `--blue`. */
  define(name: string, value: string): void {
    this.#defined.add(name);
    this.#add(name, value);
  }

  /**
   * Adds the design tokens of a request: nested, flat, or in the W3C community group's format
   * (`$value`).
   */
  read(tokens: Readonly<Record<string, unknown>>): void {
    const waiting: Entry[] = [{ path: [], value: tokens }];
    for (
      let next = waiting.pop(), left = mostTokens;
      next !== undefined && left > 0;
      next = waiting.pop(), left -= 1
    ) {
      if (typeof next.value === 'string' || typeof next.value === 'number')
        this.#add(nameOf(next.path), String(next.value));
      else waiting.push(...entriesIn(next));
    }
  }

  /** Returns the token of a value, or `undefined` unless exactly one token has the value. */
  replacementOf(value: string): string | undefined {
    const names = [...(this.#names.get(plain(value)) ?? [])];
    const known = names.filter((name) => this.#defined.has(name));
    const [name, ...others] = known.length > 0 ? known : names;
    if (name === undefined || others.length > 0) return undefined;
    return this.#defined.has(name) ? `var(${name})` : `var(${name}, ${value})`;
  }

  #add(name: string, value: string): void {
    const key = plain(value);
    if (name === '' || key === '' || key.length > 200) return;
    const names = this.#names.get(key);
    if (names === undefined) this.#names.set(key, new Set([name]));
    else names.add(name);
  }
}

interface Entry {
  readonly path: readonly string[];
  readonly value: unknown;
}

function entriesIn({ path, value }: Entry): readonly Entry[] {
  if (!isRecord(value) || path.length > deepest) return [];
  const own = value['$value'] ?? (isRecord(value['value']) ? undefined : value['value']);
  if (own !== undefined && path.length > 0) return [{ path, value: own }];
  return Object.entries(value).flatMap(([key, each]) =>
    key.startsWith('$') ? [] : [{ path: [...path, key], value: each }],
  );
}

function nameOf(path: readonly string[]): string {
  const words = path.join('-').replace(/^-+/, '');
  const name = words
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll(/[^\w-]+/g, '-')
    .toLowerCase();
  return name === '' ? '' : `--${name}`;
}

/** Returns the normal spelling of a value: `#ffffff` for `#FFF`, `0.5rem` for `.50rem`. */
function plain(value: string): string {
  const text = value.trim().toLowerCase().replaceAll(/\s+/g, ' ');
  if (/^#[0-9a-f]{3,4}$/.test(text))
    return `#${[...text.slice(1)].map((digit) => digit + digit).join('')}`;
  const [, amount, unit = ''] = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+))([a-z%]*)$/.exec(text) ?? [];
  return amount === undefined
    ? text.replaceAll(/(?<!\s)\s*,\s*/g, ', ')
    : `${Number(amount)}${unit}`;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
