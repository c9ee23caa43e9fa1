import { v7 } from 'uuid';

/** Ids and nonces. Tests replace them with predictable ones. */
export interface Random {
  /** Returns a new id. Later ids sort after earlier ones. */
  readonly id: () => string;
  /** Returns a random text that the author of an artifact cannot guess. */
  readonly nonce: () => string;
}

function randomText(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The default: ids are UUID v7, which count up within a millisecond; nonces are random texts. */
export const systemRandom: Random = { id: () => v7(), nonce: randomText };
