import type { InboxSettings } from './inbox-options.js';
import { Refusal } from './inbox-response.js';

type Addresses = Pick<InboxSettings, 'hosts' | 'origins'>;

/**
 * Refuses a request that was sent to another name. A page of another site can let its own name lead
 * to this machine, but the browser then sends that name.
 *
 * @throws Refusal 421
 */
export function checkHost(request: Request, { hosts }: Addresses): void {
  const host = request.headers.get('host') ?? new URL(request.url).host;
  if (!hosts.has(withoutDefaultPort(host.toLowerCase(), request.url)))
    throw new Refusal(421, 'host_unknown', { message: 'this address leads to no inbox' });
}

/**
 * Refuses a request that the page of another site sent.
 *
 * @throws Refusal 403
 */
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
