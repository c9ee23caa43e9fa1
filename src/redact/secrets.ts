import { isAssignedSecret, isPlaceholder } from './assigned-secret.js';
import { type SecretFormat, secretFormats } from './secret-formats.js';

/** The place of something that looks like a secret in a text. */
export interface FoundSecret {
  readonly rule: string;
  readonly start: number;
  readonly end: number;
}

type Place = readonly [start: number, end: number];

interface Rule extends SecretFormat {
  /** Returns the place of the secret in a match; `undefined` if there is none. @default its group */
  readonly placeIn?: (match: RegExpExecArray) => Place | undefined;
}

const keyword =
  '(?:passw(?:or)?d|passphrase|pwd|secret|token(?!s|i[sz])|api[_-]?key|access[_-]?key|private[_-]?key|credential)';
const quoted =
  '"(?:[^"\\\\\\n]|\\\\[^\\n])*"?|\'(?:[^\'\\\\\\n]|\\\\[^\\n])*\'?|`(?:[^`\\\\\\n]|\\\\[^\\n])*`?|\\\\{1,3}["\'][^"\'\\n]*["\']?';
const bare = '[^\\s"\'`,;&()<>{}[\\]\\\\]+';

/** Matches the name of an id or of a public key, up to its value. Both look random. */
const ofId =
  '(?:\\b[Ii]d|\\bID|[_-]id|[_-]ID|[a-z]Id|[Pp]ublic[_-]?[Kk]ey|PUBLIC_KEY)["\'`]?\\s{0,3}[:=]\\s{0,3}';

/** Secrets of known formats. */
const formats: readonly Rule[] = [
  ...secretFormats,
  {
    name: 'aws-secret-key',
    pattern:
      /(?<![A-Za-z0-9/+=])(?=[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=]))(?<=(?:\baws|amazon|secret)[^\n]{0,80})[A-Za-z0-9/+]{40}/gi,
    isSecret: isMixed,
  },
];

/** What looks like a secret by the words around it, or by its characters. */
const guesses: readonly Rule[] = [
  {
    name: 'url-credentials',
    pattern: /(?<=(\bhttps?|\bftps?)?:\/\/)([^\s/:@"']{0,200}):([^\s/@"']{1,500})(?=@)/g,
    isSecret: isCredential,
  },
  {
    name: 'bearer',
    pattern: /(?<=\b(?:bearer|basic) {1,5})(?=[A-Za-z._~+/-]{0,200}\d)[A-Za-z0-9._~+/=-]{16,}/gi,
  },
  {
    name: 'assignment',
    pattern: new RegExp(
      `(${keyword}[\\w.-]{0,40}\\\\{0,3}["']?\\s{0,5}(=>|:=|[=:])\\s{0,5})(${quoted}|${bare})(\\(?)`,
      'gi',
    ),
    placeIn: assignedIn,
  },
  {
    name: 'high-entropy',
    pattern: new RegExp(`(?<=(["'\`]))(?<!${ofId}\\1)[A-Za-z0-9+/=_-]{24,300}(?=\\1)`, 'g'),
    isSecret: looksRandom,
  },
  {
    // without slashes, which paths have
    name: 'high-entropy',
    pattern: new RegExp(
      `(?<=[=:]\\s{0,3})(?<!${ofId})[A-Za-z0-9][A-Za-z0-9+_-]{23,299}={0,2}(?![A-Za-z0-9+/=_.-])`,
      'g',
    ),
    isSecret: isMixed,
  },
];

/** Returns whether secrets of a rule have the format of a known service. They are never made up. */
export const isKnownFormat = (rule: string): boolean => !guesses.some(({ name }) => name === rule);

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
    const next = withMarks(current, findSecrets(current));
    if (next === current) break;
    current = next;
  }
  return current;
}

/** Replaces known secrets without quotes and space, so that JSON and commands stay whole. */
export function redactKnownSecrets(text: string): string {
  const isToken = ({ start, end }: FoundSecret) => !/["'`\\\s]/.test(text.slice(start, end));
  return withMarks(text, foundBy(formats, text).filter(isToken));
}

/**
 * Returns the places that {@link redactSecrets} replaces in its first pass, in the order of the
 * text. What touches a secret of a known format is no guess of its own.
 */
export function findSecrets(text: string): FoundSecret[] {
  const known = foundBy(formats, text);
  let next = 0;
  const others = foundBy(guesses, text).filter(({ start, end }) => {
    while ((known[next]?.end ?? start + 1) <= start) next += 1;
    return (known[next]?.start ?? end) >= end;
  });
  return [...known, ...others].sort((a, b) => a.start - b.start);
}

function foundBy(rules: readonly Rule[], text: string): FoundSecret[] {
  const found = rules.flatMap((rule) =>
    Array.from(text.matchAll(rule.pattern), (match): FoundSecret[] => {
      const [start, end] = (rule.placeIn ?? groupOf(rule))(match) ?? [0, 0];
      return start < end ? [{ rule: rule.name, start, end }] : [];
    }).flat(),
  );
  return united(found);
}

/** Returns places in the order of the text. Those that overlap become one, named by the first. */
export function united(found: readonly FoundSecret[]): FoundSecret[] {
  const places: FoundSecret[] = [];
  for (const one of found.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = places.at(-1);
    if (last === undefined || one.start >= last.end) places.push(one);
    else if (one.end > last.end) places[places.length - 1] = { ...last, end: one.end };
  }
  return places;
}

/** Returns a text with marks in these places. */
export function withMarks(text: string, places: readonly FoundSecret[]): string {
  let result = '';
  let at = 0;
  for (const { rule, start, end } of places) {
    result += `${text.slice(at, start)}[REDACTED:${rule}]`;
    at = end;
  }
  return result + text.slice(at);
}

/** Takes a group of a match. AWS marks the keys that its documentation prints. */
function groupOf({ name, group = 0, isSecret }: Rule) {
  return (match: RegExpExecArray): Place | undefined => {
    const { [group]: value = '' } = match;
    const isPrinted = name.startsWith('aws') && value.includes('EXAMPLE');
    if (isPrinted || isSecret?.(value, match) === false) return undefined;
    return match.indices?.[group] ?? [match.index, match.index + value.length];
  };
}

/** Words for a password in examples. */
const passwords =
  /^(?:my)?(?:pass|pwd|secret|token|user(?:name)?|admin|root|guest|test|password)$/i;

/** Returns whether the credentials of an address are no words, variables or repetitions. */
function isCredential(_: string, [, web, user, password = '']: RegExpExecArray): boolean {
  if (user === password || password.length < 4 || isPlaceholder(password)) return false;
  if (/^(.)\1*$|[{}<>[\]$]/.test(password)) return false;
  return web === undefined ? !passwords.test(password) : !/^(?:my)?password$/i.test(password);
}

/** Returns the place of an assigned value; `undefined` if it is not a secret. */
function assignedIn({ index, ...groups }: RegExpExecArray): Place | undefined {
  const { 1: before = '', 2: sign = '', 3: value = '', 4: next = '' } = groups;
  const name = before.slice(0, before.lastIndexOf(sign)).replace(/(?<![\s"'\\])[\s"'\\]+$/, '');
  const isTight = sign === '=' && before.endsWith('=');
  const quote = /^\\{0,3}["'`]/.exec(value)?.[0] ?? '';
  const rest = value.slice(quote.length);
  const inner = rest.slice(0, rest.length - endOf(rest, quote).length);
  const start = index + before.length + quote.length;
  return isAssignedSecret({ name, value: inner, isQuoted: quote !== '', isTight, next })
    ? [start, start + inner.length]
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

function entropy(value: string): number {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values())
    bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}
