import type { Environment } from './reader.js';

export const showCursor = '\u001b[?25h';

/** Erases the block that begins in the row of the cursor. */
export const clearBlock = '\r\u001b[J';

/** A stream that may be a terminal. */
interface Stream {
  readonly isTTY?: boolean | undefined;
}

/**
 * Returns whether a stream gets colours: a terminal does. `FORCE_COLOR` decides before `NO_COLOR`,
 * as in Node; then comes `TERM=dumb`.
 */
export function hasColours({ isTTY }: Stream, environment: Environment = process.env): boolean {
  const { FORCE_COLOR: forced, NO_COLOR: refused = '', TERM: kind } = environment;
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return isTTY === true && refused === '' && kind !== 'dumb';
}

/** Returns whether a terminal takes sequences that move its cursor. */
export function movesCursor(stream: Stream, environment: Environment = process.env): boolean {
  const { TERM: kind } = environment;
  return stream.isTTY === true && kind !== 'dumb' && hasColours(stream, environment);
}
