interface Rule {
  readonly name: string;
  /**
   * A pattern in linear time: it starts only at the beginning of a run, or its repetitions are
   * bounded.
   */
  readonly pattern: RegExp;
  /** Returns the replacement of a match; `undefined` keeps the match. @default the mark */
  readonly replace?: (mark: string, groups: readonly string[]) => string | undefined;
}

const keyword =
  '(?:passw(?:or)?d|passphrase|pwd|secret|token(?!s|i[sz])|api[_-]?key|access[_-]?key|private[_-]?key|credential)';
const quoted =
  '"(?:[^"\\\\\\n]|\\\\[^\\n])*"?|\'(?:[^\'\\\\\\n]|\\\\[^\\n])*\'?|`(?:[^`\\\\]|\\\\[^\\n])*`?|\\\\{1,3}["\'][^"\'\\n]*["\']?';
const bare = '[^\\s"\'`,;&()<>{}[\\]\\\\]+';

const rules: readonly Rule[] = [
  {
    name: 'private-key',
    pattern:
      /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g,
  },
  {
    name: 'aws-key',
    pattern:
      /(?<![A-Za-z0-9])(?:AKIA|ASIA|AGPA|AIDA|AROA|ANPA|ANVA|AIPA)[A-Z0-9]{16}(?![A-Za-z0-9])/g,
  },
  // no word contains these two, so they need no boundary: a token may follow a letter
  { name: 'github-token', pattern: /(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{22,})/g },
  { name: 'anthropic-key', pattern: /(?<![A-Za-z0-9_-])sk-ant-[A-Za-z0-9_-]{16,}/g },
  { name: 'openai-key', pattern: /(?<![A-Za-z0-9_-])sk-(?=[A-Za-z_-]*\d)[A-Za-z0-9_-]{20,}/g },
  { name: 'stripe-key', pattern: /(?<![A-Za-z0-9_])[prs]k_(?:live|test)_[A-Za-z0-9]{16,}/g },
  {
    name: 'slack-token',
    pattern:
      /(?<![A-Za-z0-9_-])(?:xox[a-z]|xapp)-[A-Za-z0-9-]{10,}|(?<=hooks\.slack\.com\/services\/)[A-Za-z0-9/]{20,}/g,
  },
  { name: 'npm-token', pattern: /npm_[A-Za-z0-9]{30,}/g },
  { name: 'google-key', pattern: /(?<![A-Za-z0-9_-])AIza[A-Za-z0-9_-]{35,}/g },
  {
    name: 'jwt',
    pattern: /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]{5,}(?:\.[A-Za-z0-9_-]*)?/g,
  },
  { name: 'url-credentials', pattern: /(?<=:\/\/)[^\s/:@"']{0,200}:[^\s/@"']{1,500}(?=@)/g },
  {
    name: 'bearer',
    pattern: /(\b(?:bearer|basic) {1,5})(?=[A-Za-z._~+/-]{0,200}\d)[A-Za-z0-9._~+/=-]{16,}/gi,
    replace: (mark, [before = '']) => before + mark,
  },
  {
    name: 'assignment',
    pattern: new RegExp(
      `(${keyword}[\\w.-]{0,40}\\\\{0,3}["']?\\s{0,5}(=>|:=|[=:])\\s{0,5})(${quoted}|${bare})`,
      'gi',
    ),
    replace: (mark, [before = '', sign = '', value = '']) => assignment(mark, before, sign, value),
  },
  {
    name: 'high-entropy',
    pattern: /(["'`])([A-Za-z0-9+/=_-]{24,300})\1/g,
    replace: (mark, [quote = '', value = '']) =>
      looksRandom(value) ? quote + mark + quote : undefined,
  },
  {
    // without slashes, which paths have
    name: 'high-entropy',
    pattern: /([=:]\s{0,3})([A-Za-z0-9][A-Za-z0-9+_-]{23,299}={0,2})(?![A-Za-z0-9+/=_.-])/g,
    replace: (mark, [before = '', value = '']) => (isMixed(value) ? before + mark : undefined),
  },
];

const mostPasses = 5;

/**
 * Replaces secrets by `[REDACTED:rule]`. A secret without one of these shapes stays:
 *
 * - private keys, JWTs, and tokens of known services,
 * - credentials in URLs,
 * - values that are assigned to names such as `password`,
 * - texts in quotes or after a sign that look random.
 *
 * @example
 * ```ts
 * redactSecrets('password = "hunter2"'); // password = "[REDACTED:assignment]"
 * ```
 */
export function redactSecrets(text: string): string {
  let current = text;
  for (let pass = 0; pass < mostPasses; pass += 1) {
    const next = rules.reduce(applied, current);
    if (next === current) break;
    current = next;
  }
  return current;
}

/** The place of something that looks like a secret in a text. */
export interface FoundSecret {
  readonly rule: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the places that {@link redactSecrets} replaces in its first pass, in the order of the
 * text.
 */
export function findSecrets(text: string): FoundSecret[] {
  const found = rules.flatMap(({ name, pattern, replace }) =>
    Array.from(text.matchAll(pattern), (match): FoundSecret[] => {
      if (replace === undefined)
        return [{ rule: name, start: match.index, end: match.index + match[0].length }];
      const replaced = replace('\u0000', match.slice(1).filter(isText));
      const at = replaced?.indexOf('\u0000') ?? -1;
      return replaced === undefined || at === -1
        ? []
        : [
            {
              rule: name,
              start: match.index + at,
              end: match.index + match[0].length - (replaced.length - at - 1),
            },
          ];
    }).flat(),
  );
  return found.sort((a, b) => a.start - b.start);
}

function applied(text: string, { name, pattern, replace }: Rule): string {
  const mark = `[REDACTED:${name}]`;
  return text.replace(pattern, (match: string, ...found: unknown[]) =>
    replace === undefined ? mark : (replace(mark, found.filter(isText)) ?? match),
  );
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** Returns an assignment without its value; `undefined` if the value is not a secret. */
function assignment(mark: string, before: string, sign: string, value: string): string | undefined {
  const quote = /^\\{0,3}["'`]/.exec(value)?.[0];
  if (quote !== undefined)
    return quotedValue(mark, before + quote, value.slice(quote.length), quote);
  const tight = sign === '=' && before.endsWith('=') && value.length >= 4;
  // a bare word after a colon or a space is prose, unless it has digits
  return tight || (value.length >= 6 && /\d/.test(value)) ? before + mark : undefined;
}

function quotedValue(
  mark: string,
  before: string,
  rest: string,
  quote: string,
): string | undefined {
  const end = rest.endsWith(quote) ? quote : rest.endsWith(quote.slice(-1)) ? quote.slice(-1) : '';
  return rest.length === end.length ? undefined : before + mark + end;
}

/**
 * Returns whether a text mixes letters and digits like a secret. Digests of git and lock files do
 * not count.
 */
function looksRandom(value: string): boolean {
  if (/^[0-9a-f]+$/i.test(value))
    return (
      value.length >= 32 &&
      ![40, 64, 128].includes(value.length) &&
      /\d/.test(value) &&
      /[a-f]/i.test(value) &&
      entropy(value) >= 3
    );
  return isMixed(value);
}

function isMixed(value: string): boolean {
  if (
    /^sha\d{1,3}-/.test(value) ||
    !/\d/.test(value) ||
    !/[a-z]/.test(value) ||
    !/[A-Z]/.test(value) ||
    entropy(value) < 4
  )
    return false;
  // a name consists of words, which rarely occur by chance
  const words = value.match(/[A-Z]?[a-z]{2,}/g) ?? [];
  return words.join('').length < 0.65 * value.length;
}

/** Returns the entropy in bits per character. */
function entropy(value: string): number {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values())
    bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}
