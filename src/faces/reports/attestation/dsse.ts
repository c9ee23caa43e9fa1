import {
  createHash,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import * as z from 'zod';
import { builtOnUse } from '../../../core/built-on-use.js';
import { messageOf, ReviewLoopError } from '../../../core/errors.js';
import { reportErrors } from '../errors.js';

const mediaType = 'application/vnd.dev.sigstore.bundle.v0.3+json';
const payloadType = 'application/vnd.in-toto+json';
/** Bytes in one way of writing only: no other text stands for them. */
const base64 = z
  .base64()
  .min(1)
  .refine((text) => Buffer.from(text, 'base64').toString('base64') === text, 'expected base64');

export const BundleSchema = builtOnUse(() =>
  z.strictObject({
    mediaType: z.literal(mediaType),
    verificationMaterial: z.strictObject({
      publicKey: z.strictObject({ hint: z.string() }),
      tlogEntries: z.tuple([]),
    }),
    dsseEnvelope: z.strictObject({
      payload: base64,
      payloadType: z.literal(payloadType),
      signatures: z.tuple([z.strictObject({ sig: base64 })]),
    }),
  }),
);

/** A signed statement in the bundle format of Sigstore, with a key of one's own. */
export interface Bundle extends z.infer<typeof BundleSchema> {}

/** @param key - An Ed25519 or P-256 private key as PEM. */
export function signed(statement: unknown, key: string): Bundle {
  const secret = keyOf(key, createPrivateKey);
  const payload = Buffer.from(JSON.stringify(statement));
  return {
    mediaType,
    verificationMaterial: { publicKey: { hint: hintOf(createPublicKey(secret)) }, tlogEntries: [] },
    dsseEnvelope: {
      payload: payload.toString('base64'),
      payloadType,
      signatures: [{ sig: sign(hashFor(secret), signedBytes(payload), secret).toString('base64') }],
    },
  };
}

/**
 * Returns the text that the holder of a key signed.
 *
 * @param key - The public key as PEM.
 */
export function verified({ dsseEnvelope, verificationMaterial }: Bundle, key: string): string {
  const known = keyOf(key, createPublicKey);
  const payload = Buffer.from(dsseEnvelope.payload, 'base64');
  const [signature] = dsseEnvelope.signatures;
  const sig = Buffer.from(signature.sig, 'base64');
  const refused = (what: string) => new ReviewLoopError(reportErrors.signature_invalid, what);
  if (verificationMaterial.publicKey.hint !== hintOf(known))
    throw refused('the statement was signed by another key');
  if (!verify(hashFor(known), signedBytes(payload), known, sig))
    throw refused('the statement was changed after it was signed');
  return payload.toString('utf8');
}

/** What DSSE signs: the type and the body, each with its length, so that neither can become the other. */
function signedBytes(body: Buffer): Buffer {
  const head = `DSSEv1 ${payloadType.length} ${payloadType} ${body.length} `;
  return Buffer.concat([Buffer.from(head), body]);
}

function keyOf(pem: string, read: (pem: string) => KeyObject): KeyObject {
  const refused = (why: string, cause?: unknown): ReviewLoopError =>
    new ReviewLoopError(reportErrors.key_invalid, `the key cannot be used: ${why}`, { cause });
  // a public key can be read from a private one, which a verifier must not need to have
  if (read === createPublicKey && typeof pem === 'string' && pem.includes('PRIVATE KEY'))
    throw refused('it is a private key, and a verifier needs the public one');
  let key: KeyObject;
  try {
    key = read(pem);
  } catch (error) {
    throw refused(messageOf(error), error);
  }
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
  if (type === 'ed25519' || (type === 'ec' && details?.namedCurve === 'prime256v1')) return key;
  throw refused(`it is of the type ${type} ${details?.namedCurve ?? ''}`.trim());
}

function hashFor({ asymmetricKeyType }: KeyObject): 'sha256' | null {
  return asymmetricKeyType === 'ed25519' ? null : 'sha256';
}

function hintOf(key: KeyObject): string {
  const bytes = key.export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(bytes).digest('base64');
}
