import { timingSafeEqual } from 'node:crypto';
import { script, style, views } from '#inbox-shell';
import { isReviewError, messageOf } from '../../core/errors.js';
import { hashText } from '../../core/hash.js';
import { isVisible } from '../../core/human.js';
import type { Clock } from '../../ports/clock.js';
import { favicon } from '../reports/html/favicon.js';
import { AnswerTurns, sentAnswer } from './answer-turns.js';
import { ChangeStreams } from './change-streams.js';
import { checkedInbox, type InboxOptions, type InboxSettings } from './inbox-options.js';
import { inboxResponse, jsonResponse, Refusal, refusalOf } from './inbox-response.js';
import { listRequests } from './list-requests.js';
import { showRun } from './show-run.js';

/**
 * Creates the inbox as a fetch handler, for a server that you have. It shows the questions of
 * suspended runs with the views of each run, and takes the answers. Put your own authentication in
 * front of it: `user` returns the name that answers are recorded with.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const handle = inboxHandler({
 *   store,
 *   answer: (reference, answer) => pipeline.answer(reference, answer),
 *   user: (request) => nameInSession(request),
 *   origins: ['https://reviews.example.org'],
 *   base: '/inbox',
 * });
 * ```
 */
export function inboxHandler(options: InboxOptions): (request: Request) => Promise<Response> {
  return new Inbox(checkedInbox(options)).handle;
}

export class Inbox {
  readonly #settings: InboxSettings;
  readonly #personOf: PersonOf;
  readonly #streams: ChangeStreams;
  readonly #turns: AnswerTurns;

  constructor(settings: InboxSettings) {
    this.#settings = settings;
    this.#personOf = personOf(settings);
    this.#streams = new ChangeStreams(settings);
    this.#turns = new AnswerTurns(settings, this.#streams);
  }

  /** It never rejects. */
  readonly handle = async (request: Request): Promise<Response> => {
    try {
      return await this.#route(request);
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal.status === 500)
        this.#settings.logger.error(
          { error: messageOf(error), code: isReviewError(error) ? error.code : undefined },
          'a request to the inbox failed',
        );
      const { status, code, message, headers } = refusal;
      return jsonResponse(status, { error: code, message }, headers);
    }
  };

  async close(): Promise<void> {
    this.#streams.close();
    await this.#turns.close();
  }

  async #route(request: Request): Promise<Response> {
    checkHost(request, this.#settings);
    const { base } = this.#settings;
    const { pathname } = new URL(request.url);
    if (pathname === base.slice(0, -1) && base !== '/')
      return inboxResponse(308, null, { location: base });
    if (!pathname.startsWith(base)) throw notFound();
    const path = pathname.slice(base.length);
    if (path === '') return inboxPage(request);
    if (path === 'views.js') return inboxViews(request);
    if (!path.startsWith('api/')) throw notFound();
    checkSite(request, this.#settings);
    const by = await this.#personOf(request);
    return this.#api(request, path.slice('api/'.length).split('/'), by);
  }

  async #api(request: Request, parts: readonly string[], by: string): Promise<Response> {
    const [noun, id, verb, ...more] = parts.map(decoded);
    if (more.length > 0) throw notFound();
    if (noun === 'changes' && id === undefined) {
      allow(request, 'GET');
      return this.#streams.open();
    }
    if (noun === 'requests' && id === undefined) {
      allow(request, 'GET');
      return jsonResponse(200, await listRequests(new URL(request.url), this.#settings));
    }
    if (noun === 'runs' && id !== undefined && verb === undefined) {
      allow(request, 'GET');
      return jsonResponse(200, await showRun(id, this.#settings));
    }
    if (noun === 'requests' && id !== undefined && verb === 'answer') {
      allow(request, 'POST');
      const sent = sentAnswer(id, await readJson(request));
      const { status, reason } = await this.#turns.take(sent, by);
      return jsonResponse(status === 'running' ? 202 : 200, { status, reason });
    }
    throw notFound();
  }
}

function allow(request: Request, method: 'GET' | 'POST'): void {
  if (request.method !== method)
    throw new Refusal(405, 'method', `this address takes ${method} only`, { allow: method });
}

function notFound(): Refusal {
  return new Refusal(404, 'not_found', 'there is nothing at this address');
}

/** A part that is not valid names nothing. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw notFound();
  }
}

/** The largest body. */
const mostBytes = 20_000;

async function readJson(request: Request): Promise<unknown> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/json(?:;\s*charset=utf-8)?$/i.test(type.trim()))
    throw new Refusal(415, 'content_type', 'send application/json');
  const text = await textOf(request);
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(422, 'answer_invalid', 'the body is not JSON');
  }
}

async function textOf(request: Request): Promise<string> {
  if (Number(request.headers.get('content-length') ?? 0) > mostBytes) throw tooLarge();
  const reader = request.body?.getReader();
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for (;;) {
    const part = await reader?.read();
    if (part === undefined || part.done) return new TextDecoder().decode(Buffer.concat(parts));
    bytes += part.value.length;
    // what is left is not read: cancelling would close the connection before the response
    if (bytes > mostBytes) throw tooLarge();
    parts.push(part.value);
  }
}

function tooLarge(): Refusal {
  return new Refusal(413, 'body_too_large', `a body has at most ${mostBytes} bytes`, {
    connection: 'close',
  });
}

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
${favicon}
<title>Inbox</title>
<style>${style}</style>
</head>
<body>
<div id="app"></div>
<noscript>The inbox needs scripts.</noscript>
<script>${script}</script>
</body>
</html>
`;

export const inboxPage = (request: Request): Response => fileFor(request, page, 'text/html');

export const inboxViews = (request: Request): Response =>
  fileFor(request, views, 'text/javascript');

function fileFor(request: Request, text: string, type: string): Response {
  allow(request, 'GET');
  return inboxResponse(200, text, { 'content-type': `${type}; charset=utf-8` });
}

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

type PersonOf = (request: Request) => Promise<string>;

/**
 * After ten wrong tokens within a minute, one is answered each second, and others wait for it.
 * While too many wait, no token is compared at all, so that guessing in parallel is not faster. A
 * right token that is compared never waits.
 */
function personOf({ user, token = '', by, clock }: InboxSettings): PersonOf {
  if (user !== undefined)
    return async (request) => {
      const name = await user(request);
      if (typeof name === 'string' && isVisible(name)) return name;
      throw new Refusal(401, 'unauthorized', 'sign in first');
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
    throw new Refusal(401, 'unauthorized', 'pass the token of the inbox', {
      'www-authenticate': 'Bearer',
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
  return new Refusal(429, 'too_many_failures', 'too many wrong tokens; wait a minute', {
    'retry-after': '60',
  });
}

type Addresses = Pick<InboxSettings, 'hosts' | 'origins'>;

/**
 * A page of another site can let its own name lead to this machine, but the browser then sends that
 * name.
 */
function checkHost(request: Request, { hosts }: Addresses): void {
  const host = request.headers.get('host') ?? new URL(request.url).host;
  if (!hosts.has(withoutDefaultPort(host.toLowerCase(), request.url)))
    throw new Refusal(421, 'host_unknown', 'this address leads to no inbox');
}

function checkSite(request: Request, { origins }: Addresses): void {
  const origin = request.headers.get('origin');
  const site = request.headers.get('sec-fetch-site');
  const changes = request.method !== 'GET' && request.method !== 'HEAD';
  if (
    (origin === null && changes) ||
    (origin !== null && !origins.has(origin)) ||
    (site !== null && site !== 'same-origin')
  )
    throw new Refusal(
      403,
      'site_refused',
      `only the page of the inbox may send this; a program sends the header \`Origin: ${ownOrigin(request, origins)}\``,
    );
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
