import { v4, v7 } from 'uuid';

/** Ids and nonces, as a port: tests make them predictable. */
export interface Random {
  /** A new id; later ones sort after earlier ones. */
  readonly id: () => string;
  /** Text that an author of artifacts cannot guess. */
  readonly nonce: () => string;
}

/** Ids by UUID v7, nonces by UUID v4. */
export const systemRandom: Random = { id: v7, nonce: () => v4().replaceAll('-', '') };
