import type { Random } from '../ports/random.js';

/**
 * Creates predictable ids and nonces: `id-000001`, `id-000002`, ...; `nonce-000001`, ...
 *
 * @param prefix - Prefix of each, to distinguish two instances. @default ''
 */
export function fakeRandom(prefix = ''): Random {
  let ids = 0;
  let nonces = 0;
  return {
    id: () => `${prefix}id-${String(++ids).padStart(6, '0')}`,
    nonce: () => `${prefix}nonce-${String(++nonces).padStart(6, '0')}`,
  };
}
