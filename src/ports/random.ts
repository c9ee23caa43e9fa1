import { v7 } from 'uuid';

/** Ids and nonces. Tests replace them with predictable ones. */
export interface Random {
  /** Returns a new id. Later ids sort after earlier ones. */
  readonly id: () => string;
  /** Returns a random text that the author of an artifact cannot guess. */
  readonly nonce: () => string;
}

/** Random bytes for 256 ids. One request to the platform costs more than the rest of an id. */
const pool = new Uint8Array(4096);
let used = pool.length;

function randomBytes(): Uint8Array {
  if (used === pool.length) {
    globalThis.crypto.getRandomValues(pool);
    used = 0;
  }
  used += 16;
  return pool.slice(used - 16, used);
}

let lastMs = 0;
let sequence = 0;

/**
 * Returns a UUID v7. Within a millisecond, the sequence counts up from a random number (RFC 9562).
 */
function sortableId(): string {
  const random = randomBytes();
  const now = Date.now();
  if (now > lastMs) {
    lastMs = now;
    sequence = new DataView(random.buffer).getUint32(6) >>> 2;
  } else sequence += 1;
  return v7({ random, msecs: lastMs, seq: sequence });
}

/** The default: ids are UUID v7, nonces 128 random bits in hexadecimal. */
export const systemRandom: Random = {
  id: sortableId,
  nonce: () => Array.from(randomBytes(), (byte) => byte.toString(16).padStart(2, '0')).join(''),
};
