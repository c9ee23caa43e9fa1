import { redactKnownSecrets } from '../redact/secrets.js';
import type { Io, Reader } from './io.js';
import { withoutPersonal } from './require-person.js';

/**
 * Returns streams for a reader; none gets a key of a known service. A plain reader gets lines without
 * colours, and nothing changes on the screen. An agent also gets no progress, tables or questions,
 * and no command that only a person may run.
 */
export function readBy(io: Io, reader: Reader): Io {
  const isPlain = reader !== 'default';
  const isAgent = reader === 'agent';
  const shown = (text: string): string => {
    const clean = redactKnownSecrets(text);
    return isAgent ? withoutPersonal(clean) : clean;
  };
  return {
    ...io,
    reader,
    out: (text: string) => io.out(shown(text)),
    err: (text: string) => io.err(shown(text)),
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
