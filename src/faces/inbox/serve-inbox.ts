import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { hashText } from '../../core/hash.js';
import { checkTable, elsewhere, invalid } from '../../core/options.js';
import { systemRandom } from '../../ports/random.js';
import { Inbox } from './inbox-handler.js';
import {
  checkedInbox,
  checkedOrigins,
  type InboxAccess,
  type InboxSource,
  sourceTable,
} from './inbox-options.js';

export interface ServeInboxOptions extends InboxSource, InboxAccess {
  /**
   * The address to listen on. One that other machines reach needs `user` or a `token` of your own.
   *
   * @default '127.0.0.1'
   */
  readonly host?: string | undefined;
  /** The port to listen on. @default 0, a free port */
  readonly port?: number | undefined;
  /** Further addresses under which browsers open it, such as that of a proxy. @default none */
  readonly origins?: readonly string[] | undefined;
}

const table = { ...sourceTable, origins: elsewhere(), host: elsewhere(), port: elsewhere() };

/** A server of {@link serveInbox}. */
export interface InboxServer {
  /** The address to open; with a token, it contains the token. */
  readonly url: string;
  /** The address without the token, for links. */
  readonly address: string;
  /** Stops listening, and cancels the runs that go on; they can be continued later. */
  readonly close: () => Promise<void>;
}

const headersMs = 5_000;
const requestMs = 10_000;
const mostConnections = 200;

/**
 * Serves the inbox over HTTP, on this machine only unless you say otherwise. Without `user`, whoever
 * has the token may read and answer; `url` contains it.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const server = await serveInbox({
 *   store,
 *   answer: (reference, answer) => pipeline.answer(reference, answer),
 *   by: 'Ada',
 * });
 * console.log(server.url);
 * ```
 */
export async function serveInbox(options: ServeInboxOptions): Promise<InboxServer> {
  checkTable('serveInbox', table, options);
  const { host = '127.0.0.1', port = 0, origins = [], ...rest } = options;
  const { user } = rest;
  checkPlace({ host, port, isGuarded: user !== undefined || rest.token !== undefined });
  const more = origins.length === 0 ? [] : [...checkedOrigins(origins)];
  if (isWildcard(host) && more.length === 0)
    throw invalid('origins', `the addresses that lead to ${host}`, origins);
  const token = user === undefined ? (rest.token ?? newToken()) : undefined;
  const server = await listen(host, port);
  const own = originsOf(host, portOf(server));
  const inbox = new Inbox(checkedInbox({ ...rest, token, origins: [...own, ...more] }));
  server.on('request', (request, response) => {
    void answer(inbox, request, response).catch(() => response.destroy());
  });
  const address = `${own[0] ?? more[0]}/`;
  return {
    address,
    url: token === undefined ? address : `${address}#token=${encodeURIComponent(token)}`,
    close: async () => {
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
      await inbox.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function checkPlace(place: {
  readonly host: string;
  readonly port: number;
  readonly isGuarded: boolean;
}): void {
  const { host, port, isGuarded } = place;
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw invalid('port', 'a port, or 0 for a free one', port);
  if (typeof host !== 'string' || host === '') throw invalid('host', 'an address', host);
  if (!isLoopback(host) && !isGuarded)
    throw invalid('host', 'an address of this machine, or a `user` or a `token`', host);
}

function newToken(): string {
  return hashText([systemRandom.nonce(), systemRandom.nonce(), systemRandom.nonce()].join());
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

function isWildcard(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}

function originsOf(host: string, port: number): string[] {
  if (isWildcard(host)) return [];
  const names = isLoopback(host) ? [host, '127.0.0.1', 'localhost', '::1'] : [host];
  const shown = names.map((name) => (name.includes(':') ? `[${name}]` : name));
  return [...new Set(shown)].map((name) => `http://${name}:${port}`);
}

async function listen(host: string, port: number): Promise<Server> {
  const server = createServer({
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: 1_000,
    keepAliveTimeout: headersMs,
  });
  server.maxConnections = mostConnections;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject(invalid('port', `a free port (${error.message})`, port)),
    );
    server.listen(port, host, resolve);
  });
  return server;
}

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function answer(
  inbox: Inbox,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { status, headers, body } = await inbox.handle(requestOf(request));
  response.writeHead(status, Object.fromEntries(headers));
  const reader = body?.getReader();
  response.on('close', () => void reader?.cancel().catch(() => {}));
  for (;;) {
    const part = await reader?.read();
    if (part === undefined || part.done) break;
    if (!response.write(part.value))
      await new Promise<void>((resolve) => {
        response.once('drain', resolve);
        response.once('close', resolve);
      });
  }
  response.end();
}

/** What stands before the path is not believed. */
function requestOf(request: IncomingMessage): Request {
  const { method = 'GET', url = '/' } = request;
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    for (const one of [value ?? []].flat()) headers.append(name, one);
  const path = url.startsWith('/') ? url : '/unknown';
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return new Request(`http://inbox.invalid${path}`, {
    method: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'].includes(method)
      ? method
      : 'OPTIONS',
    headers,
    ...(hasBody && { body: Readable.toWeb(request) as ReadableStream, duplex: 'half' }),
  } as RequestInit);
}
