import type { Browser, BrowserContext, Page, Request, Route } from 'playwright-core';
import { messageOf } from '../../../core/errors.js';
import { type PageFiles, sitePath } from '../page-files.js';

/** Where the pages of an output stand while they are visited. No name server knows it. */
export const origin = 'http://page.invalid';

const mostRequests = 200;
const mostBytes = 5_000_000;
/** The height and width of the window that pages are shown in first. */
export const wide = { width: 1280, height: 800 };

/** What a page asked for, and what went wrong in it. */
export interface Traffic {
  /** Paths of the output that are not there. */
  readonly missing: Map<string, string>;
  /** Addresses outside of the output, which nobody asked. */
  readonly refused: Map<string, string>;
  /** Errors of its scripts. */
  readonly errors: string[];
  /** What did not fit into the limits. */
  readonly limits: Set<string>;
  /** Whether the page itself was asked for. */
  arrived: boolean;
  crashed: boolean;
}

/** A page that loads nothing but files of its output. */
export interface GuardedPage {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly traffic: Traffic;
}

function policyOf(scripts: boolean): string {
  return [
    "default-src 'none'",
    "img-src 'self' data: blob:",
    "style-src 'self' 'unsafe-inline'",
    "font-src 'self' data:",
    "media-src 'self' data:",
    "frame-src 'self'",
    "form-action 'none'",
    "base-uri 'self'",
    scripts ? "script-src 'self' 'unsafe-inline'; connect-src 'self'" : "script-src 'none'",
  ].join('; ');
}

/** Opens a page in a context of its own. Every request is answered from memory or refused. */
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
    missing: new Map(),
    refused: new Map(),
    errors: [],
    limits: new Set(),
    arrived: false,
    crashed: false,
  };
  let requests = 0;
  await context.routeWebSocket(/.*/, (socket) => void socket.close());
  await context.route('**/*', (route) => {
    requests += 1;
    if (requests > mostRequests) {
      traffic.limits.add(`more than ${mostRequests} requests`);
      return route.abort();
    }
    return answer(route, files, { traffic, policy: policyOf(scripts) }).catch((error) => {
      traffic.limits.add(`a request that was not answered: ${messageOf(error)}`);
      return route.abort().catch(() => {});
    });
  });
  const page = await context.newPage();
  context.on('page', (other) => {
    if (other !== page) void other.close().catch(() => {});
  });
  page.on('dialog', (dialog) => void dialog.dismiss().catch(() => {}));
  page.on('crash', () => {
    traffic.crashed = true;
  });
  if (scripts) {
    page.on('pageerror', (error) => remember(traffic, error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') remember(traffic, message.text());
    });
  }
  return { context, page, traffic };
}

const mostErrors = 50;

function remember({ errors }: Traffic, text: string): void {
  // requests are told by another criterion, with their place
  if (/^Failed to load resource|Content Security Policy/.test(text)) return;
  const line = text.split('\n')[0]?.slice(0, 300) ?? '';
  if (errors.length < mostErrors && !errors.includes(line)) errors.push(line);
}

async function answer(
  route: Route,
  files: PageFiles,
  { traffic, policy }: { readonly traffic: Traffic; readonly policy: string },
): Promise<void> {
  const request = route.request();
  const url = URL.canParse(request.url()) ? new URL(request.url()) : undefined;
  if (request.isNavigationRequest() && inMainFrame(request)) {
    // a page that leads on would be judged in place of this one; after 204 it stays
    if (traffic.arrived) return route.fulfill({ status: 204 });
    traffic.arrived = true;
  }
  if (url?.origin !== origin || request.method() !== 'GET') {
    if (url?.origin !== origin) traffic.refused.set(request.url(), request.resourceType());
    return route.abort();
  }
  const path = sitePath(decoded(url.pathname));
  const file = await files.read(path);
  if (file === undefined) {
    traffic.missing.set(path, request.resourceType());
    return route.fulfill({ status: 404, body: '' });
  }
  if (file.content.length > mostBytes) {
    traffic.limits.add(`${path} is larger than ${mostBytes} bytes`);
    return route.abort();
  }
  return route.fulfill({
    status: 200,
    contentType: file.type,
    headers: { 'content-security-policy': policy },
    body: file.content,
  });
}

/** Whether a request is for a whole window, and not for a frame inside a page. */
function inMainFrame(request: Request): boolean {
  try {
    return request.frame().parentFrame() === null;
  } catch {
    // a window that the page opens asks before it has a frame
    return true;
  }
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
