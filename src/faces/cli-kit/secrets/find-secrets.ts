import { resolve } from 'node:path';
import { secretPlacesIn } from '../../../blocks/criteria/files/secrets.js';
import { sourceLines } from '../../../blocks/criteria/source-lines.js';
import { shortList } from '../../../core/plural.js';
import {
  type AllowedSecret,
  allowanceFor,
  secretFingerprint,
} from '../../../core/redact/allowed-secrets.js';
import { cutAroundSecrets, redactSecrets } from '../../../core/redact/secrets.js';
import { readTextFile } from '../../../node/files.js';
import { sanitise } from '../../../node/terminal/sanitise.js';
import { secretPlaces } from '../../../products/reviewer-stage/dimensions/secret-lines.js';
import { allowedIn } from '../../config/load-allowed-secrets.js';
import { artifactTypes } from '../inputs/read-inputs.js';
import type { Io } from '../io.js';

export interface SecretLine {
  readonly path: string;
  readonly line: number;
  readonly fingerprint: string;
  readonly quote: string;
  /** The entry that allows it. @default undefined none does */
  readonly allowedBy: AllowedSecret | undefined;
}

const typeOf = artifactTypes([]);

const longestQuote = 120;

export function findSecretLines(
  path: string,
  text: string,
  allowed: readonly AllowedSecret[],
): SecretLine[] {
  const file = { ...sourceLines(text), file: path, type: typeOf(path), source: text };
  const places = [
    ...secretPlacesIn(file),
    ...secretPlaces({ path, status: 'new', content: text }),
  ].sort((a, b) => a.line - b.line);
  const seen = new Set<string>();
  return places.flatMap((place) => {
    const fingerprint = secretFingerprint(place.text);
    const key = `${place.line} ${fingerprint}`;
    if (seen.has(key)) return [];
    seen.add(key);
    const [first = ''] = redactSecrets(place.text).trim().split('\n');
    return [
      {
        path,
        line: place.line,
        fingerprint,
        quote: cutAroundSecrets(first, longestQuote),
        allowedBy: allowanceFor(allowed, place),
      },
    ];
  });
}

/** Larger files are not searched. */
const largestFile = 20_000_000;

const mostNamed = 5;

export async function unusedAllowances(
  cwd: string,
  entries: readonly AllowedSecret[],
): Promise<AllowedSecret[]> {
  const unused: AllowedSecret[] = [];
  const shown = allowedIn(cwd, entries);
  for (const path of new Set(shown.map((entry) => entry.path))) {
    const own = shown.filter((entry) => entry.path === path);
    const text = await textOf(resolve(cwd, path));
    const isUsed = (entry: AllowedSecret): boolean =>
      findSecretLines(path, text, [entry]).some(({ allowedBy }) => allowedBy !== undefined);
    unused.push(...own.filter((entry) => !isUsed(entry)));
  }
  return unused;
}

/** They match nothing. */
export async function warnAboutSecrets(io: Io, entries: readonly AllowedSecret[]): Promise<void> {
  const unused = await unusedAllowances(io.cwd, entries);
  if (unused.length > 0) io.err(`${sanitise(unusedText(unused))}\n`);
}

export function unusedText(unused: readonly AllowedSecret[]): string {
  const named = unused.map(
    ({ path, line, fingerprint }) => `${path} (${fingerprint ?? `line ${line}`})`,
  );
  const what = unused.length === 1 ? 'allowed secret matches' : 'allowed secrets match';
  return `warning: ${unused.length} ${what} nothing: ${shortList(named, mostNamed)}; remove them from \`secrets\``;
}

async function textOf(path: string): Promise<string> {
  try {
    const found = await readTextFile(path, { shown: path, maxBytes: largestFile });
    return found.kind === 'text' ? found.text : '';
  } catch {
    return '';
  }
}
