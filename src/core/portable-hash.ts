import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** Returns the SHA-256 of a text, in hexadecimal, computed without the platform. */
export function portableHash(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}
