import { script, style, views } from '#inbox-shell';
import { isReviewError, messageOf } from '../../core/errors.js';
import { favicon } from '../reports/html/favicon.js';
import { AnswerTurns } from './answer-turns.js';
import { ChangeStreams } from './change-streams.js';
import { checkHost, checkSite, type PersonOf, personOf } from './inbox-access.js';
import { checkedInbox, type InboxOptions, type InboxSettings } from './inbox-options.js';
import {
  inboxResponse,
  jsonResponse,
  Refusal,
  refusalOf,
  refusalResponse,
} from './inbox-response.js';
import { listRequests } from './list-requests.js';
import { showRun } from './show-run.js';
import { sentAnswer } from './take-answer.js';

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
      return refusalResponse(refusal);
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
    throw new Refusal(405, 'method', {
      message: `this address takes ${method} only`,
      headers: { allow: method },
    });
}

function notFound(): Refusal {
  return new Refusal(404, 'not_found', { message: 'there is nothing at this address' });
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
    throw new Refusal(415, 'content_type', { message: 'send application/json' });
  const text = await textOf(request);
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(422, 'answer_invalid', { message: 'the body is not JSON' });
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
  return new Refusal(413, 'body_too_large', {
    message: `a body has at most ${mostBytes} bytes`,
    headers: { connection: 'close' },
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

export function inboxPage(request: Request): Response {
  return fileFor(request, page, 'text/html');
}

export function inboxViews(request: Request): Response {
  return fileFor(request, views, 'text/javascript');
}

function fileFor({ method }: Request, text: string, type: string): Response {
  if (method !== 'GET')
    throw new Refusal(405, 'method', {
      message: 'this address takes GET only',
      headers: { allow: 'GET' },
    });
  return inboxResponse(200, text, { 'content-type': `${type}; charset=utf-8` });
}
