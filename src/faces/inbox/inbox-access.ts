import { timingSafeEqual } from 'node:crypto';
import { hashText } from '../../core/hash.js';
import { isVisible } from '../../core/human.js';
import type { Clock } from '../../ports/clock.js';
import type { InboxSettings } from './inbox-options.js';
import { Refusal } from './inbox-response.js';

/** How many wrong tokens are answered at once. */
const free = 10;

/** How long wrong tokens are remembered, in milliseconds. */
const memoryMs = 60_000;

/** How long each further one waits for the one before, in milliseconds. */
const stepMs = 1_000;

/**
 * The longest wait; a token that would wait longer is not compared, in milliseconds. It is shorter
 * than what clients wait for an answer.
 */
const longestMs = 4_000;

export type PersonOf = (request: Request) => Promise<string>;

/**
 * After ten wrong tokens within a minute, one is answered each second, and others wait for it.
 * While too many wait, no token is compared at all, so that guessing in parallel is not faster. A
 * right token that is compared never waits.
 */
export function personOf({ user, token = '', by, clock }: InboxSettings): PersonOf {
  if (user !== undefined)
    return async (request) => {
      const name = await user(request);
      if (typeof name === 'string' && isVisible(name)) return name;
      throw new Refusal(401, 'unauthorized', { message: 'sign in first' });
    };
  const expected = Buffer.from(hashText(token));
  const guesses = new Guesses(clock);
  return async (request) => {
    const given = /^Bearer (\S{1,1000})$/i.exec(request.headers.get('authorization') ?? '')?.[1];
    if (given !== undefined) {
      guesses.admit();
      if (timingSafeEqual(Buffer.from(hashText(given)), expected)) return by;
      await guesses.wrong();
    }
    throw new Refusal(401, 'unauthorized', {
      message: 'pass the token of the inbox',
      headers: { 'www-authenticate': 'Bearer' },
    });
  };
}

/** Wrong tokens of the last minute, and those that wait for their answer. */
class Guesses {
  readonly #clock: Clock;
  readonly #times: number[] = [];
  /** When the last one that waits is answered. */
  #turn = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  admit(): void {
    const now = this.#clock.now();
    while ((this.#times[0] ?? now) < now - memoryMs) this.#times.shift();
    if (this.#times.length >= free && this.#waitFrom(now) > longestMs) throw tooMany();
  }

  /** Counts a wrong token, and waits before it is refused. */
  async wrong(): Promise<void> {
    const now = this.#clock.now();
    const isFree = this.#times.length < free;
    if (!isFree) this.#times.shift();
    this.#times.push(now);
    if (isFree) return;
    const wait = this.#waitFrom(now);
    this.#turn = now + wait;
    await new Promise<void>((resolve) => void this.#clock.after(wait, resolve));
    throw tooMany();
  }

  #waitFrom(now: number): number {
    return Math.max(this.#turn, now) + stepMs - now;
  }
}

function tooMany(): Refusal {
  return new Refusal(429, 'too_many_failures', {
    message: 'too many wrong tokens; wait a minute',
    headers: { 'retry-after': '60' },
  });
}

type Addresses = Pick<InboxSettings, 'hosts' | 'origins'>;

/**
 * A page of another site can let its own name lead to this machine, but the browser then sends that
 * name.
 */
export function checkHost(request: Request, { hosts }: Addresses): void {
  const host = request.headers.get('host') ?? new URL(request.url).host;
  if (!hosts.has(withoutDefaultPort(host.toLowerCase(), request.url)))
    throw new Refusal(421, 'host_unknown', { message: 'this address leads to no inbox' });
}

export function checkSite(request: Request, { origins }: Addresses): void {
  const origin = request.headers.get('origin');
  const site = request.headers.get('sec-fetch-site');
  const changes = request.method !== 'GET' && request.method !== 'HEAD';
  if (
    (origin === null && changes) ||
    (origin !== null && !origins.has(origin)) ||
    (site !== null && site !== 'same-origin')
  )
    throw new Refusal(403, 'site_refused', {
      message: `only the page of the inbox may send this; a program sends the header \`Origin: ${ownOrigin(request, origins)}\``,
    });
}

function ownOrigin(request: Request, origins: ReadonlySet<string>): string {
  const host = request.headers.get('host');
  const all = [...origins];
  return all.find((origin) => new URL(origin).host === host) ?? all[0] ?? '';
}

function withoutDefaultPort(host: string, url: string): string {
  const port = url.startsWith('https:') ? ':443' : ':80';
  return host.endsWith(port) ? host.slice(0, -port.length) : host;
}
