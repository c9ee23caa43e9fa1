import { ReviewLoopError } from '../../../core/errors.js';

export interface PostgresAddress {
  /** For the driver, with its password; it is never printed. */
  readonly connection: string;
  /** For messages: host, port and database. */
  readonly shown: string;
}

/**
 * Unless it says `sslmode=disable`, a server that is not this machine must show a certificate for
 * its name.
 */
export function checkedAddress(address: string): PostgresAddress {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !['postgres:', 'postgresql:'].includes(url.protocol))
    throw wrong('be an address like postgres://user@host:5432/database');
  const host = url.searchParams.get('host') ?? decodeURIComponent(url.hostname);
  const mode = url.searchParams.get('sslmode');
  if (mode === 'no-verify')
    throw wrong('verify the server: name its authority with sslrootcert=FILE, not no-verify');
  if (mode === null ? !isHere(host) : mode !== 'disable')
    url.searchParams.set('sslmode', 'verify-full');
  url.searchParams.delete('uselibpqcompat');
  return {
    connection: url.href,
    shown: `PostgreSQL at ${host === '' ? 'localhost' : host}${url.port && `:${url.port}`}${url.pathname}`,
  };
}

/** A loopback address, or the folder of a socket. */
function isHere(host: string): boolean {
  return /^(?:|localhost|127(?:\.\d{1,3}){3}|\[?::1\]?|\/.*)$/i.test(host);
}

function wrong(expected: string): ReviewLoopError {
  return new ReviewLoopError(
    'invalid_options',
    `expected the address of the database to ${expected}`,
  );
}
