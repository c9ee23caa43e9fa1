import { portableHash } from '#hash';

/**
 * The SHA-256 of Node and compatible platforms. On large texts it is ten times as fast as the
 * portable one.
 */
const native = globalThis.process?.getBuiltinModule?.('crypto')?.hash;

export const hashText: (text: string) => string =
  native === undefined ? portableHash : (text) => native('sha256', text);
