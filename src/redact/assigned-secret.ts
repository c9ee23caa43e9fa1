export interface Assignment {
  /** The end of the name, from the word that speaks of a secret. */
  readonly name: string;
  readonly value: string;
  readonly isQuoted: boolean;
  /** Whether it is `NAME=value`, without spaces. */
  readonly isTight: boolean;
  /** The character behind the value. */
  readonly next: string;
}

/** What the name says about the secret; such a value is not the secret itself. */
const about =
  /(?:ttl|names?|length|len|expir\w{0,10}|min|max|types?|fields?|labels?|headers?|ur[il]s?|paths?|files?|counts?|sizes?|limits?|timeouts?|regexp?|patterns?|polic(?:y|ies)|env|vars?|variables?|params?|prefix|suffix|formats?|errors?|messages?|hints?|placeholders?|required|strength|rules?|inputs?|selectors?|attempts?|ids?|versions?|algorithms?|kinds?|sources?|providers?|endpoints?|budgets?|usage|text|title|description)$/i;

/** The name of a page or a source, as in a list of files with their digests. */
const fileName = /\.(?:mdx?|html?|[cm]?[jt]sx?|css|svg|png)$/i;

const placeholder =
  /x{4}|\*{3}|\.{3}|…|example|sample|\byour|dummy|fake|change[_-]?(?:me|this|it)|placeholder|redacted|insert|todo|replace|\$\{|\{\{|\$\(|^\$|^<|%[sd(]|process\.env|environ|getenv|^[~^<>=v]*\d{1,4}(?:\.[\dx*]{1,6})+$|^(?:null|undefined|none|true|false|string|number|unknown|any)$/i;

/** Words of fixtures: a value of them and a short number is not a secret. */
const fixture =
  /^(?:(?:test|tests|testing|mock|stub|demo|fixture|foo|bar|baz|qux|abc|def|xyz|some|my|the|a|an|valid|invalid|wrong|new|old|bad|good|user|admin|access|refresh|reset|auth|session|bearer|api|key|token|secret|passw(?:or)?d|pass|value|id|one|two|first|second|other)[-_. ]?){1,8}\d{0,4}$/i;

/**
 * Returns whether an assigned value may be a secret. Words, messages, placeholders, values of
 * fixtures, and names of variables are none.
 */
export function isAssignedSecret(assignment: Assignment): boolean {
  const { name, value, isQuoted } = assignment;
  if (value === '' || about.test(name) || fileName.test(name) || isPlaceholder(value)) return false;
  // a path, or an address, whose password has a rule of its own
  if (/^(?:(?:\/[a-z][a-z_.-]*){2,}$|[a-z][a-z+.-]{1,20}:\/\/)/i.test(value)) return false;
  return isQuoted ? !fixture.test(value) && !isWords(value, name) : isBareSecret(assignment);
}

/** Returns whether a value stands for a secret, or builds it from elsewhere. */
export const isPlaceholder = (value: string): boolean => placeholder.test(value);

/** Returns whether a text consists of words, as names and messages do. */
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
