import { v4, v7 } from 'uuid';

/** Ids and nonces, as a port: tests make them predictable. */
export interface Random {
  /** A new id; later ones sort after earlier ones. */
  readonly id: () => string;
  /** Text that an author of artifacts cannot guess. */
  readonly nonce: () => string;
}

/** Random bytes are fetched for 256 ids at a time: asking the platform costs more than the rest of an id. */
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

/** A UUID v7; within a millisecond the sequence counts up from a random number, as RFC 9562 says. */
function sortableId(): string {
  const random = randomBytes();
  const now = Date.now();
  if (now > lastMs) {
    lastMs = now;
    sequence = new DataView(random.buffer).getUint32(6) >>> 2;
  } else sequence += 1;
  return v7({ random, msecs: lastMs, seq: sequence });
}

/** Ids by UUID v7, nonces by UUID v4. */
export const systemRandom: Random = {
  id: sortableId,
  nonce: () => v4({ random: randomBytes() }).replaceAll('-', ''),
};
