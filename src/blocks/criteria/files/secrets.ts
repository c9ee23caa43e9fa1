import { digestOf } from '../../../core/json.js';
import {
  type AllowedSecret,
  allowanceFor,
  type SecretPlace,
} from '../../../core/redact/allowed-secrets.js';
import { isTestPath } from '../../../core/redact/hide-secrets.js';
import {
  type FoundSecret,
  findSecrets,
  isPlaceholder,
  redactSecrets,
} from '../../../core/redact/secrets.js';
import type { Found } from '../artifact-criterion.js';
import { isData } from './file-kind.js';
import type { TextFile } from './file-rule.js';

const madeUp = /your|123456789|abcdef|0{8}|foo|bar|hunter2|</i;
/** Matches the beginning of a host that nobody else can reach. */
const localHost = /^(?:localhost|127\.|db\b|host\b|\[|[\w.-]{0,60}example)/i;
/** Matches the example of jwt.io. */
const documented = /^eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9\.eyJzdWIiOiIxMjM0NTY3ODkwIiwi/;

/** Leaves out placeholders and allowed secrets. The quoted line never contains the secret. */
export function secretsIn(file: TextFile, allowed: readonly AllowedSecret[] = []): Found[] {
  const found = realSecrets(file).filter(
    (secret) => allowed.length === 0 || allowanceFor(allowed, placeOf(secret, file)) === undefined,
  );
  return found.map((secret) => ({
    description: `looks like a secret (${secret.rule})`,
    suggestedFix: 'Remove it, read it from the environment, and revoke it',
    file: file.file,
    line: file.lineAt(secret.start),
    evidence: quoteWithout(file.source, secret),
  }));
}

export function secretPlacesIn(file: TextFile): SecretPlace[] {
  return realSecrets(file).map((secret) => placeOf(secret, file));
}

function realSecrets(file: TextFile): FoundSecret[] {
  return findSecrets(file.source).filter((secret) => isReal(secret, file));
}

function placeOf(
  { start, end }: FoundSecret,
  { file: path, source, lineAt }: TextFile,
): SecretPlace {
  return { path, line: lineAt(start), text: linesAround(source, start, end) };
}

function linesAround(source: string, start: number, end: number): string {
  const from =
    Math.max(source.lastIndexOf('\n', start - 1), source.lastIndexOf('\r', start - 1)) + 1;
  const rest = source.slice(end).search(/[\r\n]/);
  return source.slice(start === 0 ? 0 : from, rest === -1 ? source.length : end + rest);
}

function quoteWithout(source: string, { rule, start, end }: FoundSecret): string {
  const from = Math.max(source.lastIndexOf('\n', start - 1) + 1, start - 100);
  const before = source.slice(from, start).trimStart();
  const line = /^[^\r\n]*/.exec(source.slice(end, end + 60))?.[0] ?? '';
  return redactSecrets(`${before}[REDACTED:${rule}]${line}`).trimEnd();
}

function isReal({ rule, start, end }: FoundSecret, file: TextFile): boolean {
  const value = file.source.slice(start, end);
  if (rule === 'private-key') return true;
  if (rule === 'high-entropy' || documented.test(value) || madeUp.test(value)) return false;
  if (isPlaceholder(value)) return false;
  if (rule === 'url-credentials')
    return value.length - value.indexOf(':') > 6 && !localHost.test(file.source.slice(end + 1));
  if (rule === 'bearer') return isMixed(value, 20);
  return rule !== 'assignment' || (!isTestPath(file.file) && isRealAssignment(value, file, start));
}

/** Only configuration assigns strings without quotes. */
function isRealAssignment(value: string, file: TextFile, start: number): boolean {
  const isQuoted = /["'`]/.test(file.source[start - 1] ?? '');
  if (!isQuoted && !isData({ path: file.file, type: file.type })) return false;
  return isMixed(value, 8) && !/^[\w.-]*\/|:\/\/|^[a-z]+(?:[._-][a-z]+)+\d?$|[\s(]/i.test(value);
}

function isMixed(value: string, least: number): boolean {
  return (
    value.length >= least && /\d/.test(value) && /[a-z]/i.test(value) && new Set(value).size >= 6
  );
}

export function versionWith(
  version: number | string,
  allowed: readonly AllowedSecret[],
): number | string {
  return allowed.length === 0 ? version : `${version}+${digestOf(allowed).slice(0, 12)}`;
}
