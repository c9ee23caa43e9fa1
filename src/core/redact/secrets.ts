import { secretlintFormats } from './secretlint-formats.js';

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

const kind = '[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----';

// a key ends where its lines do: other text after its first line does not belong to it
const between = '(?:\\s|\\\\[nr]|[\\\\"\'`+,;#*/.>|-]){0,40}';

const headers = '(?:Proc-Type|DEK-Info|Version|Comment|Charset|Hash): [^\\n\\\\]{1,100}';

const keyLine = `${between}(?:[A-Za-z0-9][A-Za-z0-9+/=]{15,}|${headers})`;

const lastLine = `${between}[A-Za-z0-9+/=]{1,100}`;

const privateKey = new RegExp(
  `-----BEGIN ${kind}(?:${keyLine})+(?:(?:${lastLine})?${between}-----END ${kind}|${lastLine}$)?`,
  'g',
);

/** Formats that the rules of secretlint lack, or know from whole files only. */
const otherFormats: readonly SecretFormat[] = [
  { name: 'private-key', pattern: privateKey, isSecret: hasKey },
  // no word contains these marks, so that a token may follow a letter
  { name: 'github', pattern: /(?<=\p{L})(?:gh[pousr]_\w{36}|github_pat_\w{82})(?!\w)/gu },
  { name: 'npm', pattern: /(?<=\p{L})npm_\w{36}(?!\w)/gu },
  { name: 'gitlab', pattern: /(?<![\w-])gl(?:ptt|dt|rt|cbt|ft|imt|agent|oas|soat)-[\w.-]{20,}/g },
  { name: 'sk-key', pattern: /(?<![\w-])sk-(?:[a-z\d]{2,8}-){0,2}(?=[A-Za-z]*\d)[A-Za-z\d]{20,}/g },
  { name: 'sendgrid', pattern: /SG\.[\w-]{22}\.[\w-]{43}/g },
  { name: 'twilio', pattern: /(?<![A-Za-z0-9])SK[0-9a-f]{32}(?![A-Za-z0-9])/g },
  { name: 'digitalocean', pattern: /(?<![A-Za-z0-9_])do[opr]_v1_[a-f0-9]{64}/g },
  { name: 'pypi', pattern: /(?<![\w-])pypi-[\w-]{50,}/g },
  { name: 'google', pattern: /(?<![\w-])AIza[\w-]{35,}/g },
  { name: 'jwt', pattern: /(?<![\w-])eyJ[\w-]{5,}\.[\w-]{5,}(?:\.[\w-]*)?/g },
];

/** Services whose keys had, or have, more than one length. */
const ofAnyLength = /^(?:anthropic|git(?:hub|lab)|hashicorp-vault|npm|shopify|stripe)$/;

/** Matches the beginning of a pattern that is a name: `(?<!\p{L})(?<type>ghp|gho)_` before `[A-Z]{36}`. */
const beginning = /^(\(\?<!\\p\{L\}\)(?:\([^)]*\)|\\?[\w.-])+?)\[/;

const beginnings = secretlintFormats.flatMap(([name, { source }]) =>
  ofAnyLength.test(name) ? (beginning.exec(source)?.[1] ?? []) : [],
);

/** What begins as a key and has another length: a key that was cut, or that other text follows. */
const cutToken = new RegExp(
  `(?:${beginnings.join('|').replaceAll(/\?<\w+>/g, '?:')})[A-Za-z\\d]{16,}[\\w-]*`,
  'gu',
);

/** Formats that are secrets wherever they stand, also in prose. */
const secretFormats: readonly SecretFormat[] = [
  ...otherFormats,
  ...secretlintFormats.map(([name, pattern, group]) => ({ name, pattern, group })),
  { name: 'token', pattern: cutToken, isSecret: (token) => /\d/.test(token) },
];

const formats: readonly Rule[] = [
  ...secretFormats,
  {
    name: 'aws-secret-key',
    pattern:
      /(?<![A-Za-z0-9/+=])(?=[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=]))(?<=(?:\baws|amazon|secret)[^\n]{0,80})[A-Za-z0-9/+]{40}/gi,
    isSecret: isMixed,
  },
];

/** Returns whether a value stands for a secret, or builds it from elsewhere. */
export const isPlaceholder = (value: string): boolean => placeholder.test(value);

const placeholder =
  /x{4}|\*{3}|\.{3}|…|example|sample|\byour|dummy|fake|change[_-]?(?:me|this|it)|placeholder|redacted|insert|todo|replace|\$\{|\{\{|\$\(|^\$|^<|%[sd(]|process\.env|environ|getenv|^[~^<>=v]*\d{1,4}(?:\.[\dx*]{1,6})+$|^(?:null|undefined|none|true|false|string|number|unknown|any)$/i;

/** Words for a password in examples. */
const passwords =
  /^(?:my)?(?:pass|pwd|secret|token|user(?:name)?|admin|root|guest|test|password)$/i;

/** What the name says about the secret; such a value is not the secret itself. */
const about =
  /(?:ttl|names?|length|len|expir\w{0,10}|min|max|types?|fields?|labels?|headers?|ur[il]s?|paths?|files?|counts?|sizes?|limits?|timeouts?|regexp?|patterns?|polic(?:y|ies)|env|vars?|variables?|params?|prefix|suffix|formats?|errors?|messages?|hints?|placeholders?|required|strength|rules?|inputs?|selectors?|attempts?|ids?|versions?|algorithms?|kinds?|sources?|providers?|endpoints?|budgets?|usage|text|title|description)$/i;

/** The name of a page or a source, as in a list of files with their digests. */
const fileName = /\.(?:mdx?|html?|[cm]?[jt]sx?|css|svg|png)$/i;

/** Words of fixtures: a value of them and a short number is not a secret. */
const fixture =
  /^(?:(?:test|tests|testing|mock|stub|demo|fixture|foo|bar|baz|qux|abc|def|xyz|some|my|the|a|an|valid|invalid|wrong|new|old|bad|good|user|admin|access|refresh|reset|auth|session|bearer|api|key|token|secret|passw(?:or)?d|pass|value|id|one|two|first|second|other)[-_. ]?){1,8}\d{0,4}$/i;

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

/** Secrets with the format of a known service are never made up. */
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

/** Leaves secrets with quotes or space as they are, so that JSON and commands stay whole. */
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
  // matchAll copies the pattern; most texts have no match
  const found = rules
    .filter(({ pattern }) => text.search(pattern) >= 0)
    .flatMap((rule) =>
      Array.from(text.matchAll(rule.pattern), (match): FoundSecret[] => {
        const [start, end] = (rule.placeIn ?? groupOf(rule))(match) ?? [0, 0];
        return start < end ? [{ rule: rule.name, start, end }] : [];
      }).flat(),
    );
  return united(found);
}

/** Places that overlap become one, named by the first. */
export function united(found: readonly FoundSecret[]): FoundSecret[] {
  const places: FoundSecret[] = [];
  for (const one of found.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = places.at(-1);
    if (last === undefined || one.start >= last.end) places.push(one);
    else if (one.end > last.end) places[places.length - 1] = { ...last, end: one.end };
  }
  return places;
}

export function withMarks(text: string, places: readonly FoundSecret[]): string {
  let result = '';
  let at = 0;
  for (const { rule, start, end } of places) {
    result += `${text.slice(at, start)}[REDACTED:${rule}]`;
    at = end;
  }
  return result + text.slice(at);
}

/** AWS marks the keys that its documentation prints. */
function groupOf({ name, group = 0, isSecret }: Rule) {
  return (match: RegExpExecArray): Place | undefined => {
    const { [group]: value = '' } = match;
    const isPrinted = name.startsWith('aws') && value.includes('EXAMPLE');
    if (isPrinted || isSecret?.(value, match) === false) return undefined;
    return match.indices?.[group] ?? [match.index, match.index + value.length];
  };
}

/** Returns whether the credentials of an address are no words, variables or repetitions. */
function isCredential(_: string, [, web, user, password = '']: RegExpExecArray): boolean {
  if (user === password || password.length < 4 || isPlaceholder(password)) return false;
  if (/^(.)\1*$|[{}<>[\]$]/.test(password)) return false;
  return web === undefined ? !passwords.test(password) : !/^(?:my)?password$/i.test(password);
}

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

/** Digests of git and lock files do not count. */
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

interface SecretFormat {
  readonly name: string;
  /** In linear time: it starts only at the beginning of a run, or its repetitions are bounded. */
  readonly pattern: RegExp;
  /** The group with the secret; the pattern has the flag `d`. @default 0 the whole match */
  readonly group?: number | undefined;
  readonly isSecret?: ((match: string, groups: RegExpExecArray) => boolean) | undefined;
}

/** Returns whether a private key is cut off, or has a key between its marks, without dots. */
function hasKey(text: string): boolean {
  const key = text.replaceAll(/-----[^-]{1,80}-----|\s/g, '');
  return (!text.includes('-----END') || key.length >= 40) && !/\.{3}|…|x{8}/i.test(key);
}

export interface Assignment {
  /** The end of the name, from the word that speaks of a secret. */
  readonly name: string;
  readonly value: string;
  readonly isQuoted: boolean;
  /** Whether it is `NAME=value`, without spaces. */
  readonly isTight: boolean;
  readonly next: string;
}

/** Words, messages, placeholders, values of fixtures, and names of variables are none. */
function isAssignedSecret(assignment: Assignment): boolean {
  const { name, value, isQuoted } = assignment;
  if (value === '' || about.test(name) || fileName.test(name) || isPlaceholder(value)) return false;
  // a path, or an address, whose password has a rule of its own
  if (/^(?:(?:\/[a-z][a-z_.-]*){2,}$|[a-z][a-z+.-]{1,20}:\/\/)/i.test(value)) return false;
  return isQuoted ? !fixture.test(value) && !isWords(value, name) : isBareSecret(assignment);
}

function isWords(value: string, name: string): boolean {
  if (/^\p{L}+(?:[-_.:/ ]\p{L}+)*[.!?:]?$/u.test(value))
    return !(/passphrase/i.test(name) && value.split(/[-_ ]/).length > 3);
  const words = value.split(/\s+/);
  const plain = words.filter((word) =>
    /^[("'`]?\p{L}[\p{L}'’]{0,60}[)"'`.,;:!?]{0,6}$/u.test(word),
  );
  return words.length > 2 && plain.length >= 0.7 * words.length;
}

/** Only configuration assigns secrets without quotes. Code assigns the names of variables. */
function isBareSecret({ name, value, isTight, next }: Assignment): boolean {
  if (next === '(' || /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+$/.test(value)) return false;
  const isSetting = isTight && !/[a-z]/.test(name);
  if (isSetting) return value.length >= 4 && !/^[a-z]+(?:[_-][a-z]+){2,}$/i.test(value);
  const digits = value.replace(/\D/g, '').length;
  const isName =
    /^[A-Za-z_$][\w$]*$/.test(value) && (/[a-z0-9][A-Z]|_/.test(value) || digits === 0);
  return value.length >= 6 && digits > 0 && !(isName && digits < 3) && !fixture.test(value);
}

/** How far behind a cut a secret is searched for its end, in characters. */
const lookahead = 4000;

/**
 * A secret that the cut would split is left out: half of it has no format that
 * {@link redactSecrets} knows.
 */
export function cutAroundSecrets(text: string, most: number): string {
  if (text.length <= most) return text;
  const split = findSecrets(text.slice(0, most + lookahead)).find(
    ({ start, end }) => start < most && end > most,
  );
  return text.slice(0, split === undefined ? most : split.start);
}
