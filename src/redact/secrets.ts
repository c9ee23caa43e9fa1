import { isAssignedSecret } from './assigned-secret.js';
import { type SecretFormat, secretFormats } from './secret-formats.js';

interface Rule extends SecretFormat {
  /** Returns the replacement of a match; `undefined` keeps the match. @default the mark */
  readonly replace?: (mark: string, groups: readonly string[]) => string | undefined;
}

const keyword =
  '(?:passw(?:or)?d|passphrase|pwd|secret|token(?!s|i[sz])|api[_-]?key|access[_-]?key|private[_-]?key|credential)';
const quoted =
  '"(?:[^"\\\\\\n]|\\\\[^\\n])*"?|\'(?:[^\'\\\\\\n]|\\\\[^\\n])*\'?|`(?:[^`\\\\\\n]|\\\\[^\\n])*`?|\\\\{1,3}["\'][^"\'\\n]*["\']?';
const bare = '[^\\s"\'`,;&()<>{}[\\]\\\\]+';

const rules: readonly Rule[] = [
  ...secretFormats,
  {
    name: 'aws-secret-key',
    pattern:
      /((?:\baws|amazon|secret)[^\n]{0,80}?[^A-Za-z0-9/+=])([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/gi,
    replace: (mark, [before = '', value = '']) => (isMixed(value) ? before + mark : undefined),
  },
  {
    name: 'bearer',
    pattern: /(\b(?:bearer|basic) {1,5})(?=[A-Za-z._~+/-]{0,200}\d)[A-Za-z0-9._~+/=-]{16,}/gi,
    replace: (mark, [before = '']) => before + mark,
  },
  {
    name: 'assignment',
    pattern: new RegExp(
      `(${keyword}[\\w.-]{0,40}\\\\{0,3}["']?\\s{0,5}(=>|:=|[=:])\\s{0,5})(${quoted}|${bare})(\\(?)`,
      'gi',
    ),
    replace: (mark, [before = '', sign = '', value = '', next = '']) =>
      assignment(mark, { before, sign, value, next }),
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
 * - values that are assigned to names such as `password`; words, messages and placeholders stay,
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

interface MatchedAssignment {
  /** The name, the sign and the space around it. */
  readonly before: string;
  readonly sign: string;
  readonly value: string;
  readonly next: string;
}

/** Returns an assignment without its value; `undefined` if the value is not a secret. */
function assignment(
  mark: string,
  { before, sign, value, next }: MatchedAssignment,
): string | undefined {
  const name = before.slice(0, before.lastIndexOf(sign)).replace(/(?<![\s"'\\])[\s"'\\]+$/, '');
  const isTight = sign === '=' && before.endsWith('=');
  const quote = /^\\{0,3}["'`]/.exec(value)?.[0] ?? '';
  const rest = value.slice(quote.length);
  const end = endOf(rest, quote);
  const inner = rest.slice(0, rest.length - end.length);
  const isQuoted = quote !== '';
  return isAssignedSecret({ name, value: inner, isQuoted, isTight, next })
    ? before + quote + mark + end + next
    : undefined;
}

/** Returns the quote that ends a value. An unfinished value has none. */
function endOf(rest: string, quote: string): string {
  if (rest.endsWith(quote)) return quote;
  return rest.endsWith(quote.slice(-1)) ? quote.slice(-1) : '';
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

/** Returns whether a text mixes small letters, capitals and digits, and does not consist of words. */
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
