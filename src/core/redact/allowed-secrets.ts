import { hashText } from '../hash.js';
import { checkKeys, invalid } from '../options.js';

/**
 * A line that is allowed, with the reason: it looks like a secret, or weakens a check. Name the line
 * by its number or by its fingerprint. With a fingerprint the line may move, but not change.
 */
export interface AllowedSecret {
  /** The path of the file, relative to the folder of the configuration. */
  readonly path: string;
  /** The number of the line, from 1. A fingerprint takes precedence. */
  readonly line?: number | undefined;
  /** The fingerprint of the line, as `reviewloop secrets` or the finding names it. */
  readonly fingerprint?: string | undefined;
  /** The reason why the line may stay. */
  readonly reason: string;
}

export interface SecretPlace {
  readonly path: string;
  /** The number of the first line, from 1. */
  readonly line: number;
  readonly text: string;
}

const fingerprintLength = 16;

/** Indentation and space at the ends of lines do not count. */
export function secretFingerprint(text: string): string {
  const lines = text.split(/\r\n|\n|\r/).map((line) => line.trim());
  return hashText(lines.join('\n').trim()).slice(0, fingerprintLength);
}

export function allowanceFor(
  allowed: readonly AllowedSecret[],
  place: SecretPlace,
): AllowedSecret | undefined {
  const path = plainPath(place.path);
  const here = allowed.filter((entry) => plainPath(entry.path) === path);
  if (here.length === 0) return undefined;
  const print = secretFingerprint(place.text);
  return here.find(({ line, fingerprint }) =>
    fingerprint === undefined ? line === place.line : fingerprint === print,
  );
}

export function allowedSecretProblem({
  path,
  line,
  fingerprint,
  reason,
}: Readonly<Partial<Record<keyof AllowedSecret, unknown>>>): string | undefined {
  if (typeof path !== 'string' || path.trim() === '') return 'expected `path`, the path of a file';
  if (typeof reason !== 'string' || reason.trim() === '')
    return `expected \`reason\`, why the line of ${path} may stay`;
  if (line === undefined && fingerprint === undefined)
    return `expected \`line\` or \`fingerprint\`, which name the line of ${path}`;
  if (line !== undefined && !(Number.isInteger(line) && Number(line) >= 1))
    return 'expected `line` as a whole number from 1';
  if (
    fingerprint !== undefined &&
    !(typeof fingerprint === 'string' && /^[0-9a-f]{16}$/.test(fingerprint))
  )
    return 'expected `fingerprint` as 16 digits from 0 to f, as `reviewloop secrets` prints it';
  return undefined;
}

export function checkAllowedSecrets(value: unknown): void {
  if (!Array.isArray(value)) throw invalid('allowedSecrets', 'a list', value);
  for (const [index, entry] of value.entries()) {
    const name = `allowedSecrets[${index}]`;
    checkKeys(name, entry, ['path', 'line', 'fingerprint', 'reason']);
    const problem = allowedSecretProblem(entry);
    if (problem !== undefined) throw invalid(name, problem.replace(/^expected /, ''), entry);
  }
}

function plainPath(path: string): string {
  return path.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '');
}
