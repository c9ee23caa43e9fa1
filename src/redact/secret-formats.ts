import { secretlintFormats } from './secretlint-formats.js';

/** The format of the secrets of one service. */
export interface SecretFormat {
  readonly name: string;
  /** In linear time: it starts only at the beginning of a run, or its repetitions are bounded. */
  readonly pattern: RegExp;
  /** The group with the secret; the pattern has the flag `d`. @default 0 the whole match */
  readonly group?: number | undefined;
  /** Returns whether a match is a secret. @default each is */
  readonly isSecret?: ((match: string, groups: RegExpExecArray) => boolean) | undefined;
}

// a key ends where its lines do: other text after its first line does not belong to it
const between = '(?:\\s|\\\\[nr]|[\\\\"\'`+,;#*/.>|-]){0,40}';
const headers = '(?:Proc-Type|DEK-Info|Version|Comment|Charset|Hash): [^\\n\\\\]{1,100}';
const keyLine = `${between}(?:[A-Za-z0-9][A-Za-z0-9+/=]{15,}|${headers})`;
const lastLine = `${between}[A-Za-z0-9+/=]{1,100}`;
const kind = '[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----';
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

/** Matches the beginning of a pattern that is a name: `(?<!\p{L})(?<type>ghp|gho)_` before `[A-Z]{36}`. */
const beginning = /^(\(\?<!\\p\{L\}\)(?:\([^)]*\)|\\?[\w.-])+?)\[/;

/** Services whose keys had, or have, more than one length. */
const ofAnyLength = /^(?:anthropic|git(?:hub|lab)|hashicorp-vault|npm|shopify|stripe)$/;
const beginnings = secretlintFormats.flatMap(([name, { source }]) =>
  ofAnyLength.test(name) ? (beginning.exec(source)?.[1] ?? []) : [],
);
/** What begins as a key and has another length: a key that was cut, or that other text follows. */
const cutToken = new RegExp(
  `(?:${beginnings.join('|').replaceAll(/\?<\w+>/g, '?:')})[A-Za-z\\d]{16,}[\\w-]*`,
  'gu',
);

/** Formats that are secrets wherever they stand, also in prose. */
export const secretFormats: readonly SecretFormat[] = [
  ...otherFormats,
  ...secretlintFormats.map(([name, pattern, group]) => ({ name, pattern, group })),
  { name: 'token', pattern: cutToken, isSecret: (token) => /\d/.test(token) },
];

/** Returns whether a private key is cut off, or has a key between its marks, without dots. */
function hasKey(text: string): boolean {
  const key = text.replaceAll(/-----[^-]{1,80}-----|\s/g, '');
  return (!text.includes('-----END') || key.length >= 40) && !/\.{3}|…|x{8}/i.test(key);
}
