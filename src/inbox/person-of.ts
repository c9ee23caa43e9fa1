import { timingSafeEqual } from 'node:crypto';
import { hashText } from '../core/hash.js';
import type { Clock } from '../ports/clock.js';
import type { InboxSettings } from './inbox-options.js';
import { Refusal } from './inbox-response.js';

/** How many wrong tokens are answered at once. */
const free = 10;
/** How long wrong tokens are remembered, in milliseconds. */
const memoryMs = 60_000;
/** How long each further one waits for the one before, in milliseconds. */
const stepMs = 1_000;
/** The longest wait; an attempt that would wait longer is refused, in milliseconds. */
const longestMs = 20_000;

/** Returns the name of the person who sent a request. */
export type PersonOf = (request: Request) => Promise<string>;

/**
 * Returns the check of who sent a request. After ten wrong tokens within a minute, one is answered
 * each second; a right token never waits.
 *
 * @throws Refusal 401, 429
 */
export function personOf({ user, token = '', by, clock }: InboxSettings): PersonOf {
  if (user !== undefined)
    return async (request) => {
      const name = await user(request);
      if (typeof name === 'string' && name.trim() !== '') return name;
      throw new Refusal(401, 'unauthorized', { message: 'sign in first' });
    };
  const expected = Buffer.from(hashText(token));
  const slowDown = slowedDown(clock);
  return async (request) => {
    const given = /^Bearer (\S{1,1000})$/i.exec(request.headers.get('authorization') ?? '')?.[1];
    if (timingSafeEqual(Buffer.from(hashText(given ?? '')), expected)) return by;
    if (given !== undefined) await slowDown();
    throw new Refusal(401, 'unauthorized', {
      message: 'pass the token of the inbox',
      headers: { 'www-authenticate': 'Bearer' },
    });
  };
}

/** Returns what counts a wrong token, and makes it wait. */
function slowedDown(clock: Clock): () => Promise<void> {
  const failures: number[] = [];
  let turn = 0;
  return async () => {
    const now = clock.now();
    while ((failures[0] ?? now) < now - memoryMs) failures.shift();
    if (failures.length < free) {
      failures.push(now);
      return;
    }
    failures.shift();
    failures.push(now);
    const wait = Math.max(turn, now) + stepMs - now;
    if (wait <= longestMs) {
      turn = now + wait;
      await new Promise<void>((resolve) => void clock.after(wait, resolve));
    }
    throw tooMany();
  };
}

function tooMany(): Refusal {
  return new Refusal(429, 'too_many_failures', {
    message: 'too many wrong tokens; wait a minute',
    headers: { 'retry-after': '60' },
  });
}
