import type { Browser, Page, Request, Route } from 'playwright-core';
import { messageOf } from '../../../../core/errors.js';
import { type PageFiles, sitePath } from '../page-files.js';

/** Where the pages of an output stand while they are visited. No name server knows it. */
export const origin = 'http://page.invalid';
export const wide = { width: 1280, height: 800 };

const [mostRequests, mostBytes, mostErrors] = [200, 5_000_000, 50];

export interface Traffic {
  /** Paths of the output that are not there, with what asked for them. */
  readonly missing: Map<string, string>;
  /** Addresses outside of the output, which nobody asked. */
  readonly refused: Map<string, string>;
  readonly errors: Set<string>;
  readonly limits: Set<string>;
  requests: number;
  arrived: boolean;
  crashed: boolean;
}

/** A page that loads nothing but files of its output. */
export interface GuardedPage {
  readonly page: Page;
  readonly traffic: Traffic;
}

const policy = [
  "default-src 'none'",
  "img-src 'self' data: blob:",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self' data:",
  "media-src 'self' data:",
  "frame-src 'self'",
  "form-action 'none'",
  "base-uri 'self'",
];
const withScripts = "script-src 'self' 'unsafe-inline'; connect-src 'self'";

export async function guardedPage(
  browser: Browser,
  files: PageFiles,
  scripts: boolean,
): Promise<GuardedPage> {
  const context = await browser.newContext({
    viewport: wide,
    deviceScaleFactor: 1,
    locale: 'en-US',
    timezoneId: 'UTC',
    colorScheme: 'light',
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
    acceptDownloads: false,
    permissions: [],
  });
  const traffic: Traffic = {
    ...{ missing: new Map(), refused: new Map(), errors: new Set(), limits: new Set() },
    ...{ requests: 0, arrived: false, crashed: false },
  };
  const rules = [...policy, scripts ? withScripts : "script-src 'none'"].join('; ');
  await context.routeWebSocket(/.*/, (socket) => void socket.close());
  await context.route('**/*', (route) =>
    answer(route, files, { traffic, rules }).catch((error) => {
      traffic.limits.add(`a request that was not answered: ${messageOf(error)}`);
      return route.abort().catch(() => {});
    }),
  );
  const page = await context.newPage();
  context.on('page', (other) => {
    if (other !== page) void other.close().catch(() => {});
  });
  page.on('dialog', (dialog) => void dialog.dismiss().catch(() => {}));
  page.on('crash', () => {
    traffic.crashed = true;
  });
  page.on('pageerror', (error) => remember(traffic, error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') remember(traffic, message.text());
  });
  return { page, traffic };
}

function remember({ errors }: Traffic, text: string): void {
  // requests are told by another criterion, with their place
  if (/^Failed to load resource|Content Security Policy/.test(text)) return;
  if (errors.size < mostErrors) errors.add(text.split('\n')[0]?.slice(0, 300) ?? '');
}

async function answer(
  route: Route,
  files: PageFiles,
  { traffic, rules }: { readonly traffic: Traffic; readonly rules: string },
): Promise<void> {
  const request = route.request();
  const url = request.url();
  traffic.requests += 1;
  if (traffic.requests > mostRequests) {
    traffic.limits.add(`more than ${mostRequests} requests`);
    return route.abort();
  }
  if (request.isNavigationRequest() && inMainFrame(request)) {
    // a page that leads on would be judged in place of this one; after 204 it stays
    if (traffic.arrived) return route.fulfill({ status: 204 });
    traffic.arrived = true;
  }
  const isOurs = URL.canParse(url) && new URL(url).origin === origin;
  if (!isOurs) traffic.refused.set(url, request.resourceType());
  if (!isOurs || request.method() !== 'GET') return route.abort();
  const path = pathOf(url);
  const file = await files.read(path);
  if (file === undefined) {
    traffic.missing.set(path, request.resourceType());
    return route.fulfill({ status: 404, body: '' });
  }
  if (file.content.length > mostBytes) {
    traffic.limits.add(`${path} is larger than ${mostBytes} bytes`);
    return route.abort();
  }
  const headers = { 'content-security-policy': rules };
  return route.fulfill({ status: 200, contentType: file.type, headers, body: file.content });
}

function inMainFrame(request: Request): boolean {
  try {
    return request.frame().parentFrame() === null;
  } catch {
    // a window that the page opens asks before it has a frame
    return true;
  }
}

export function pathOf(url: string): string {
  const { pathname } = new URL(url);
  try {
    return sitePath(decodeURIComponent(pathname));
  } catch {
    return sitePath(pathname);
  }
}
