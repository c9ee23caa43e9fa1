/** A part of a regular expression. */
type Part =
  | { readonly kind: 'atom'; readonly source: string }
  | { readonly kind: 'empty' }
  | { readonly kind: 'back'; readonly group: number }
  | { readonly kind: 'all'; readonly parts: readonly Part[]; readonly group?: number }
  | { readonly kind: 'any'; readonly parts: readonly Part[] }
  | { readonly kind: 'repeat'; readonly part: Part; readonly min: number; readonly max: number };

class RegexReader {
  #at = 0;
  #groups = 0;
  readonly #source: string;

  constructor(source: string) {
    this.#source = source;
  }

  read(): Part {
    const parts: Part[] = [this.#sequence()];
    while (this.#source[this.#at] === '|') {
      this.#at += 1;
      parts.push(this.#sequence());
    }
    return parts.length === 1 ? (parts[0] ?? { kind: 'empty' }) : { kind: 'any', parts };
  }

  #sequence(): Part {
    const parts: Part[] = [];
    while (this.#at < this.#source.length && !/[|)]/.test(this.#source[this.#at] ?? ''))
      parts.push(this.#quantified(this.#part()));
    return { kind: 'all', parts };
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    const match = new RegExp(`(?:${pattern.source})`, 'y');
    match.lastIndex = this.#at;
    const found = match.exec(this.#source);
    if (found !== null) this.#at += found[0].length;
    return found;
  }

  #part(): Part {
    if (this.#take(/[\^$]|\\[bB]/) !== null) return { kind: 'empty' };
    const back = this.#take(/\\([1-9])/);
    if (back !== null) return { kind: 'back', group: Number(back[1]) };
    if (this.#take(/\(\?<?[=!]/) !== null) {
      this.read();
      this.#at += 1;
      return { kind: 'empty' };
    }
    const open = this.#take(/\((?:\?:|\?<\w+>)?/);
    if (open !== null) {
      const group = open[0] === '(?:' ? undefined : ++this.#groups;
      const inner = this.read();
      this.#at += 1;
      return { kind: 'all', parts: [inner], ...(group !== undefined && { group }) };
    }
    const source = this.#take(
      /\[(?:\\[\s\S]|[^\]\\])*\]|\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\[\s\S]|[\s\S]/u,
    );
    return { kind: 'atom', source: source?.[0] ?? '' };
  }

  #quantified(part: Part): Part {
    const found = this.#take(/([*+?])\??|\{(\d+)(,(\d*))?\}\??/);
    if (found === null) return part;
    const [, sign, least, comma, most] = found;
    if (sign !== undefined)
      return { kind: 'repeat', part, min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Infinity };
    const min = Number(least);
    const max = comma === undefined ? min : most === '' ? Infinity : Number(most);
    return { kind: 'repeat', part, min, max };
  }
}

const characters = [
  ...Array.from('a 0A-._\n\t"\'`<>{}()[]:/\\*#=,;|!?@&%$+~^xyzeZ9'),
  '\r',
  '\u2028',
  'é',
  '中',
  '…',
  '’',
  '\u0001',
];

/** Repetitions of at most this length cost little. */
const shortRepeat = 60;

/** A text that may make a regular expression slow, from its length. */
export type Attack = (length: number) => string;

export function attacksOn(pattern: RegExp): Attack[] {
  const flags = pattern.flags.replace(/[gym]/g, '');
  const root = new RegexReader(pattern.source).read();
  const groups = new Map<number, Part>();
  const known = new Map<string, readonly string[]>();
  const samplesOf = (source: string): readonly string[] => {
    const found =
      known.get(source) ??
      [...characters, source.replace(/^\\/, '').slice(0, 2)].filter((text) =>
        new RegExp(`^(?:${source})$`, flags).test(text),
      );
    known.set(source, found);
    return found;
  };
  const sampleOf = (part: Part): string => {
    if (part.kind === 'atom') return samplesOf(part.source)[0] ?? '';
    if (part.kind === 'all') {
      if (part.group !== undefined) groups.set(part.group, part);
      return part.parts.map(sampleOf).join('');
    }
    if (part.kind === 'any') return sampleOf(part.parts[0] ?? { kind: 'empty' });
    if (part.kind === 'repeat') return sampleOf(part.part).repeat(Math.min(part.min, 200));
    const group = part.kind === 'back' ? groups.get(part.group) : undefined;
    return group === undefined ? '' : sampleOf(group);
  };
  const attacks = new Map<string, Attack>();
  const add = (before: string, pump: string): void => {
    if (pump === '') return;
    const times = (length: number, text: string): string =>
      text.repeat(Math.ceil(length / text.length));
    attacks.set(`1${before}\0${pump}`, (length) => `${before}${times(length, pump)}\u0001`);
    attacks.set(`2${before}\0${pump}`, (length) => times(length, before + pump));
    attacks.set(`3${pump}`, (length) => `\u0001${times(length, pump)}\u0001`);
  };
  const walk = (part: Part, before: string): void => {
    if (part.kind === 'any') for (const each of part.parts) walk(each, before);
    if (part.kind === 'all') {
      let shown = before;
      for (const each of part.parts) {
        walk(each, shown);
        shown += sampleOf(each);
      }
    }
    if (part.kind !== 'repeat') return;
    walk(part.part, before);
    if (part.max < shortRepeat) return;
    for (const pump of pumpsOf(part.part)) add(before, pump);
  };
  const pumpsOf = (part: Part): readonly string[] => {
    if (part.kind === 'atom') return samplesOf(part.source).slice(0, 6);
    if (part.kind === 'any') return part.parts.flatMap(pumpsOf).slice(0, 8);
    const [only, ...more] = part.kind === 'all' ? part.parts : [];
    if (only !== undefined && more.length === 0) return pumpsOf(only);
    const whole = sampleOf(part);
    const inner = part.kind === 'all' ? part.parts.flatMap(pumpsOf).slice(0, 6) : [];
    return [whole, ...inner];
  };
  walk(root, '');
  const whole = sampleOf(root);
  if (whole !== '') add('', whole.slice(0, 200));
  return [...attacks.values()];
}
