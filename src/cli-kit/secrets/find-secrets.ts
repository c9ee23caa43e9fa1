import { secretPlacesIn } from '../../criteria/files/secrets.js';
import { sourceLines } from '../../criteria/source-lines.js';
import {
  type AllowedSecret,
  allowanceFor,
  secretFingerprint,
} from '../../redact/allowed-secrets.js';
import { cutAroundSecrets } from '../../redact/cut-around-secrets.js';
import { redactSecrets } from '../../redact/secrets.js';
import { secretPlaces } from '../../reviewer-stage/dimensions/secret-lines.js';
import { artifactTypes } from '../inputs/artifact-type.js';

/** A line of a file that looks like a secret. */
export interface SecretLine {
  readonly path: string;
  readonly line: number;
  readonly fingerprint: string;
  /** The line without the secret. */
  readonly quote: string;
  /** The entry that allows it. @default undefined none does */
  readonly allowedBy: AllowedSecret | undefined;
}

const typeOf = artifactTypes([]);
const longestQuote = 120;

/** Returns the lines of a text that any review takes for secrets. */
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
