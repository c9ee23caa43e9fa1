import {
  type AllowedSecret,
  allowanceFor,
  type SecretPlace,
} from '../../redact/allowed-secrets.js';
import { cutAroundSecrets } from '../../redact/cut-around-secrets.js';
import { redactSecrets } from '../../redact/secrets.js';
import { isTestPath } from '../../redact/test-path.js';
import type { ChangedFile } from '../completed-work.js';
import { addedLines } from './added-lines.js';

/**
 * Returns the added lines that seem to contain secrets, without allowed ones. The secrets are
 * redacted.
 */
export function secretLines(file: ChangedFile): { line: number; text: string }[] {
  const allowed = new Set(file.allowedSecrets?.map(({ line }) => line));
  return suspectLines(file)
    .filter(({ line }) => !allowed.has(line))
    .map(({ line, redacted }) => ({ line, text: cutAroundSecrets(redacted.trim(), 200) }));
}

/** Returns the added lines with allowed secrets, and why they may stay. */
export function allowedLines(
  file: ChangedFile,
  allowed: readonly AllowedSecret[],
): { line: number; reason: string }[] {
  if (allowed.length === 0) return [];
  return secretPlaces(file).flatMap((place) => {
    const entry = allowanceFor(allowed, place);
    return entry === undefined ? [] : [{ line: place.line, reason: redactSecrets(entry.reason) }];
  });
}

/** Returns the places of the added lines that seem to contain secrets; a key with all its lines. */
export function secretPlaces(file: ChangedFile): SecretPlace[] {
  const suspects = suspectLines(file);
  if (suspects.length === 0) return [];
  const textOf = new Map(addedLines(file).map(({ line, text }) => [line, text]));
  return suspects.map(({ line, text }) => ({
    path: file.path,
    line,
    text: opensKey(text) ? keyFrom(line, textOf) : text,
  }));
}

/** Whether a private key begins in a line and does not end in it. */
function opensKey(text: string): boolean {
  const at = text.lastIndexOf('-----BEGIN ');
  return at !== -1 && !text.includes('-----END ', at);
}

/** The maximum number of lines of a private key. */
const longestKey = 200;

/** Returns the lines of a private key that begins in a line. */
function keyFrom(line: number, textOf: ReadonlyMap<number, string>): string {
  const lines: string[] = [];
  for (let at = line; at < line + longestKey; at += 1) {
    const text = textOf.get(at);
    if (text === undefined) break;
    lines.push(text);
    if (text.includes('-----END ')) break;
  }
  return lines.join('\n');
}

function suspectLines(file: ChangedFile): { line: number; text: string; redacted: string }[] {
  return addedLines(file).flatMap(({ line, text }) => {
    const redacted = redactSecrets(text);
    const isMadeUp = isTestPath(file.path) || isExample(text);
    const isPlain = redacted === text || (isMadeUp && !certain.test(redacted));
    return isPlain ? [] : [{ line, text, redacted }];
  });
}

/** Tokens in the format of a known service are secrets, even in an example. */
const certain = /\[REDACTED:(?:jwt|[a-z-]{1,40}-(?:key|token))\]/;

/** Returns whether a line looks like a placeholder in documentation or tests. */
function isExample(text: string): boolean {
  return /\b(?:example|placeholder|dummy|changeme|your[-_ ]?|xxx+)|\$\{|process\.env|os\.environ|getenv/i.test(
    text,
  );
}
