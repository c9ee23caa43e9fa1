import { v7 } from 'uuid';

/** Ids and nonces. Tests replace them with predictable ones. */
export interface Random {
  /** Returns a new id. Later ids sort after earlier ones. */
  readonly id: () => string;
  /** Returns a random text that the author of an artifact cannot guess. */
  readonly nonce: () => string;
}

/** Random words for some texts: asking the system once for many is cheaper than once for each. */
const words = new Uint32Array(256);
let used = words.length;

/** Returns 128 random bits in hexadecimal. */
function randomText(): string {
  if (used === words.length) {
    globalThis.crypto.getRandomValues(words);
    used = 0;
  }
  let text = '';
  for (const end = used + 4; used < end; used += 1) {
    text += ((words[used] ?? 0) + 0x1_0000_0000).toString(16).slice(1);
    words[used] = 0;
  }
  return text;
}

/** The default: ids are UUID v7, which count up within a millisecond; nonces are random texts. */
export const systemRandom: Random = { id: () => v7(), nonce: randomText };
