import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attestation } from '@/faces/reports/attestation/attestation.js';
import { verifyAttestation } from '@/faces/reports/attestation/verify-attestation.js';
import { isReviewError } from '@/index.js';
import { attestedRun, newKeys } from '../support/attested-run.js';
import { seed } from '../support/seed.js';

const { privateKey, publicKey } = newKeys();
const { run, outcome } = await attestedRun();
const { statement, bundle } = attestation({
  ...run,
  key: privateKey,
  commit: { repository: 'git+local', commit: 'a'.repeat(40), tree: 'b'.repeat(40) },
});
const text = JSON.stringify(bundle);
const version = outcome.version ?? '';
const check = { key: publicKey, version };

function codeOf(act: () => unknown): string {
  try {
    act();
    return 'verified';
  } catch (error) {
    return isReviewError(error) ? error.code : String(error);
  }
}

type Place = readonly (string | number)[];

/** Every place of a value: of members, and of items. */
function places(value: unknown, at: Place = []): Place[] {
  if (typeof value !== 'object' || value === null) return [at];
  const inside = Object.entries(value).flatMap(([name, one]) =>
    places(one, [...at, Array.isArray(value) ? Number(name) : name]),
  );
  return at.length === 0 ? inside : [at, ...inside];
}

/** A copy with another value in a place; without the place, if there is no value. */
function changed(whole: object, place: Place, value: unknown): object {
  const copy = structuredClone(whole);
  let at = copy as Record<string | number, unknown>;
  for (const step of place.slice(0, -1)) at = at[step] as typeof at;
  const last = place.at(-1) ?? '';
  if (value !== undefined) at[last] = value;
  else if (Array.isArray(at)) at.splice(Number(last), 1);
  else delete at[last];
  return copy;
}

const other = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.constant(null),
  fc.constant([]),
  fc.constant(undefined),
);

describe('an attestation', () => {
  it('verifies as it was signed', () => {
    expect(verifyAttestation(text, check).statement).toEqual(statement);
    expect(statement.predicate.dissent).not.toEqual([]);
  });

  it('is refused with any place of its statement changed or dropped, dissent as well', () => {
    const property = fc.property(fc.constantFrom(...places(statement)), other, (place, value) => {
      const tampered = changed(statement, place, value);
      fc.pre(JSON.stringify(tampered) !== JSON.stringify(statement));
      const payload = Buffer.from(JSON.stringify(tampered)).toString('base64');
      const forged = changed(bundle ?? {}, ['dsseEnvelope', 'payload'], payload);
      expect(codeOf(() => verifyAttestation(JSON.stringify(forged), check))).toBe(
        'signature_invalid',
      );
    });
    fc.assert(property, { seed, numRuns: 300 });
    for (const place of places(statement)) {
      const payload = Buffer.from(JSON.stringify(changed(statement, place, undefined)));
      const forged = changed(bundle ?? {}, ['dsseEnvelope', 'payload'], payload.toString('base64'));
      expect(codeOf(() => verifyAttestation(JSON.stringify(forged), check))).toBe(
        'signature_invalid',
      );
    }
  });

  it('is refused with any byte of its file changed', () => {
    const byte = fc.tuple(fc.nat(text.length - 1), fc.integer({ min: 32, max: 126 }));
    const property = fc.property(byte, ([at, code]) => {
      const forged = `${text.slice(0, at)}${String.fromCharCode(code)}${text.slice(at + 1)}`;
      fc.pre(forged !== text);
      expect(codeOf(() => verifyAttestation(forged, check))).toMatch(
        /^(?:attestation|signature)_invalid$/,
      );
    });
    fc.assert(property, { seed, numRuns: 500 });
  });

  const others: readonly (readonly [string, object, string])[] = [
    ['another version', { version: 'c'.repeat(64) }, 'attestation_mismatch'],
    ['another run', { runId: 'run-2' }, 'attestation_mismatch'],
    ['another policy', { policy: 'c'.repeat(64) }, 'attestation_mismatch'],
    ['other files', { files: { output: 'Another text.' } }, 'attestation_mismatch'],
    ['a further file', { files: { output: 'A text.', more: '' } }, 'attestation_mismatch'],
    ['no file', { files: {} }, 'attestation_mismatch'],
    ['its files', { files: { output: Buffer.from('A text.') } }, 'verified'],
    ['its commit', { commit: { commit: 'a'.repeat(40), tree: 'c'.repeat(40) } }, 'verified'],
    ['its tree', { commit: { commit: 'c'.repeat(40), tree: 'b'.repeat(40) } }, 'verified'],
    [
      'another tree',
      { commit: { commit: 'c'.repeat(40), tree: 'c'.repeat(40) } },
      'attestation_mismatch',
    ],
    ['the key of another', { key: newKeys().publicKey }, 'signature_invalid'],
    ['a private key', { key: privateKey }, 'key_invalid'],
    ['a key that is a number', { key: 7 }, 'key_invalid'],
    ['nothing to compare', { version: undefined }, 'invalid_options'],
    ['an unknown option', { digest: 'c' }, 'invalid_options'],
  ];
  it.each(others)('is compared with %s', (_name, more, code) => {
    expect(codeOf(() => verifyAttestation(text, { ...check, ...more }))).toBe(code);
  });

  it('is refused unread if it is no text, or a huge one', () => {
    for (const given of [undefined, 7, ' '.repeat(17 * 2 ** 20)])
      expect(codeOf(() => verifyAttestation(given as string, check))).toBe('attestation_invalid');
  });
});
