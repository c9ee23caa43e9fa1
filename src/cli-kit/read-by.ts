import type { Io, Reader } from './io.js';

/**
 * Returns streams for a reader. A plain reader gets lines without colours, and nothing changes on
 * the screen. An agent also gets no progress, no tables and no questions.
 */
export function readBy(io: Io, reader: Reader): Io {
  const isPlain = reader !== 'default';
  const isAgent = reader === 'agent';
  return {
    ...io,
    reader,
    live: isPlain ? undefined : io.live,
    page: isPlain ? undefined : io.page,
    colours: !isPlain && io.colours,
    terminal: isAgent ? undefined : io.terminal,
    // a terminal may change its size
    get outColumns() {
      return isAgent ? undefined : io.outColumns;
    },
    get errColumns() {
      return isAgent ? undefined : io.errColumns;
    },
  };
}
