import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** Node's own SHA-256, ten times as fast on large texts; the portable one gives the same everywhere else. */
const native = globalThis.process?.getBuiltinModule?.('crypto')?.hash;

/** SHA-256 of a text, in hexadecimal. */
export const hashText: (text: string) => string =
  native === undefined ? portableHash : (text) => native('sha256', text);

/** SHA-256 without any help of the platform. */
export function portableHash(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}
