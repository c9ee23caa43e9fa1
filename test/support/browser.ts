import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { findBrowser } from '@/blocks/criteria/page/browser/chromium.js';

/** The browser of this machine, if there is one. */
const executable = findBrowser();

/** A suite in a real browser: skipped, visibly, without one; failing when REVIEWLOOP_REQUIRE names `chromium`. */
export function describeInBrowser(name: string, body: () => void): void {
  if (executable !== undefined) describe(name, body);
  else if ((process.env['REVIEWLOOP_REQUIRE'] ?? '').split(',').includes('chromium'))
    it(`${name}: needs chromium`, () => expect.fail('chromium is not installed'));
  else describe.skip(`${name} (needs chromium)`, body);
}

let opened: Promise<Browser> | undefined;

afterAll(async () => {
  await (await opened)?.close();
  opened = undefined;
});

/** What a page asked for, and what went wrong in it. */
export interface Watched {
  readonly page: Page;
  readonly requests: readonly string[];
  readonly errors: readonly string[];
}

export async function openPage(options: BrowserContextOptions = {}): Promise<Watched> {
  opened ??= import('playwright-core').then(({ chromium }) =>
    chromium.launch({
      ...(executable !== undefined && { executablePath: executable }),
      args: ['--no-sandbox', '--force-color-profile=srgb'],
    }),
  );
  const context = await (await opened).newContext({
    viewport: { width: 1280, height: 900 },
    ...options,
  });
  const page = await context.newPage();
  const requests: string[] = [];
  const errors: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  return { page, requests, errors };
}
