import {
  type AllowedSecret,
  allowanceFor,
  type SecretPlace,
} from '../../../core/redact/allowed-secrets.js';
import { hideSecrets } from '../../../core/redact/hide-secrets.js';
import { cutAroundSecrets, redactSecrets } from '../../../core/redact/secrets.js';
import type { ChangedFile } from '../completed-work.js';

/** Without allowed ones; the secrets are redacted. */
export function secretLines(file: ChangedFile): { line: number; text: string }[] {
  const allowed = new Set(file.allowedSecrets?.map(({ line }) => line));
  return suspectLines(file)
    .filter(({ line }) => !allowed.has(line))
    .map(({ line, redacted }) => ({ line, text: cutAroundSecrets(redacted.trim(), 200) }));
}

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

/** They are of added lines that seem to contain secrets; a key has all its lines. */
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

/** Returns the numbers of the added lines of a secret that begins in a line. */
export function linesOfSecret(file: ChangedFile, line: number): number[] {
  const textOf = new Map(addedLines(file).map((added) => [added.line, added.text]));
  if (!opensKey(textOf.get(line) ?? '')) return [line];
  return keyFrom(line, textOf)
    .split('\n')
    .map((_, index) => line + index);
}

/** Whether a private key begins in a line and does not end in it. */
function opensKey(text: string): boolean {
  const at = text.lastIndexOf('-----BEGIN ');
  return at !== -1 && !text.includes('-----END ', at);
}

const longestKey = 200;

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

interface SuspectLine {
  readonly line: number;
  readonly text: string;
  readonly redacted: string;
}

/** A private key counts by its first line. */
function suspectLines(file: ChangedFile): SuspectLine[] {
  return blocksOf(addedLines(file)).flatMap((block) => {
    const { lines, hidden } = hideSecrets(
      file.path,
      block.map(({ text }) => text),
    );
    const textOf = new Map(block.map(({ line, text }) => [line, text]));
    let end = 0;
    return hidden.flatMap((at): SuspectLine[] => {
      const { line, text } = block[at] ?? { line: 0, text: '' };
      if (line < end) return [];
      if (opensKey(text)) end = line + keyFrom(line, textOf).split('\n').length;
      return [{ line, text, redacted: lines[at] ?? '' }];
    });
  });
}

function blocksOf(lines: readonly AddedLine[]): AddedLine[][] {
  const blocks: AddedLine[][] = [];
  for (const added of lines) {
    const block = blocks.at(-1);
    if (block?.at(-1)?.line === added.line - 1) block.push(added);
    else blocks.push([added]);
  }
  return blocks;
}

export interface AddedLine {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

export function addedLines({ path, diff, content }: ChangedFile): AddedLine[] {
  if (diff === undefined)
    return (content ?? '')
      .split('\n')
      .map((text, index) => ({ file: path, line: index + 1, text }));
  const added: AddedLine[] = [];
  let line = 0;
  for (const text of diff.split('\n')) {
    const [, start] = /^@@ -\d+(?:,\d+)? \+(\d+)/.exec(text) ?? [];
    if (start !== undefined) line = Number(start);
    else if (line > 0 && text.startsWith('+'))
      added.push({ file: path, line: line++, text: text.slice(1) });
    else if (line > 0 && text.startsWith(' ')) line += 1;
  }
  return added;
}
