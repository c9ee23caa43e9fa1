import { digestOf } from '../../core/json.js';
import {
  type AllowedSecret,
  allowanceFor,
  type SecretPlace,
} from '../../redact/allowed-secrets.js';
import { type FoundSecret, findSecrets, redactSecrets } from '../../redact/secrets.js';
import { isTestPath } from '../../redact/test-path.js';
import type { Found } from '../artifact-criterion.js';
import { isData } from './file-kind.js';
import type { TextFile } from './file-rule.js';

const names: Readonly<Record<string, string>> = {
  'private-key': 'a private key',
  'aws-key': 'an AWS access key',
  'github-token': 'a GitHub token',
  'anthropic-key': 'an Anthropic key',
  'openai-key': 'an OpenAI key',
  'stripe-key': 'a Stripe key',
  'slack-token': 'a Slack token',
  'npm-token': 'an npm token',
  'gitlab-token': 'a GitLab token',
  'groq-key': 'a Groq key',
  'huggingface-token': 'a Hugging Face token',
  'sendgrid-key': 'a SendGrid key',
  'shopify-token': 'a Shopify token',
  'twilio-key': 'a Twilio key',
  'digitalocean-token': 'a DigitalOcean token',
  'vault-token': 'a Vault token',
  'pypi-token': 'a PyPI token',
  'aws-secret-key': 'an AWS secret key',
  'google-key': 'a Google API key',
  jwt: 'a JSON web token',
  'url-credentials': 'credentials in an address',
  bearer: 'an authorization header with its token',
  assignment: 'a secret in plain text',
};

const placeholder =
  /x{4}|\*{3}|\.{3}|…|example|sample|your|dummy|fake|change[_-]?me|placeholder|redacted|insert|todo|replace|123456789|abcdef|\$\{|\{\{|\$\(|<|%[sd(]|process\.env|environ|getenv|0{8}|foo|bar|hunter2/i;
const plainPassword =
  /^(?:pass(?:word)?|pwd|secret|token|user(?:name)?|admin|root|postgres|mysql|guest|test|\*+|\[.*|:.*)$/i;
/** Matches well-known examples in the documentation of AWS and jwt.io. */
const documented =
  /^(?:AKIAIOSFODNN7|AKIAI44QH8DHB|eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9\.eyJzdWIiOiIxMjM0NTY3ODkwIiwi)/;

/**
 * Finds likely secrets, without placeholders and allowed ones. The quoted line never contains the
 * secret.
 */
export function secretsIn(file: TextFile, allowed: readonly AllowedSecret[] = []): Found[] {
  const found = realSecrets(file).filter(
    (secret) => allowed.length === 0 || allowanceFor(allowed, placeOf(secret, file)) === undefined,
  );
  let end = -1;
  return found.flatMap((secret) => {
    if (secret.start < end) return [];
    end = secret.end;
    return [
      {
        description: `looks like ${names[secret.rule] ?? 'a secret'}`,
        suggestedFix: 'Remove it, read it from the environment, and revoke it',
        file: file.file,
        line: file.lineAt(secret.start),
        evidence: quoteWithout(file.source, secret),
      },
    ];
  });
}

/** Returns the places of likely secrets, also of allowed ones. */
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

/** Returns the whole lines of a range. */
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
  if (names[rule] === undefined || documented.test(value)) return false;
  if (rule === 'private-key')
    return (
      value.replaceAll(/-----[^-]*-----|\s/g, '').length >= 100 && !/\.{3}|…|x{8}/i.test(value)
    );
  if (placeholder.test(value)) return false;
  if (rule === 'url-credentials')
    return isRealPassword(
      value.slice(value.indexOf(':') + 1),
      file.source.slice(end + 1, end + 60),
    );
  if (rule === 'bearer') return isMixed(value, 20);
  return rule !== 'assignment' || (!isTestPath(file.file) && isRealAssignment(value, file, start));
}

function isRealPassword(password: string, host: string): boolean {
  return (
    password.length >= 6 &&
    !plainPassword.test(password) &&
    !/^(?:localhost|127\.|db\b|host\b|\[|[\w.-]*example)/i.test(host)
  );
}

/**
 * Returns whether an assigned value looks like a secret. Only configuration assigns strings without
 * quotes.
 */
function isRealAssignment(value: string, file: TextFile, start: number): boolean {
  const isQuoted = /["'`]/.test(file.source[start - 1] ?? '');
  if (!isQuoted && !isData({ path: file.file, type: file.type })) return false;
  return isMixed(value, 8) && !/^[\w.-]*\/|:\/\/|^[a-z]+(?:[._-][a-z]+)+\d?$|[\s(]/i.test(value);
}

/** Returns whether a text mixes letters and digits, as secrets do. */
function isMixed(value: string, least: number): boolean {
  return (
    value.length >= least && /\d/.test(value) && /[a-z]/i.test(value) && new Set(value).size >= 6
  );
}

/** Returns a version that changes with the allowed secrets. */
export function versionWith(
  version: number | string,
  allowed: readonly AllowedSecret[],
): number | string {
  return allowed.length === 0 ? version : `${version}+${digestOf(allowed).slice(0, 12)}`;
}
