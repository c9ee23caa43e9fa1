import type { Random } from '../ports/random.js';

/**
 * Creates a source of predictable ids and nonces: `id-000001`, `id-000002`, `nonce-000001`.
 *
 * @param prefix - A prefix for ids and nonces, to distinguish two instances. @default ''
 * @example
 * ```ts
 * const pipeline = definePipeline({ ...options, random: fakeRandom() });
 * ```
 */
export function fakeRandom(prefix = ''): Random {
  let ids = 0;
  let nonces = 0;
  return {
    id: () => `${prefix}id-${String(++ids).padStart(6, '0')}`,
    nonce: () => `${prefix}nonce-${String(++nonces).padStart(6, '0')}`,
  };
}
