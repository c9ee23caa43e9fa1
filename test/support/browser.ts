import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, BrowserContextOptions, Frame, Page } from 'playwright-core';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
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
const contexts: BrowserContext[] = [];

afterEach(async () => {
  for (const context of contexts.splice(0)) await context.close();
});

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

/** Opens a page in a context of its own, which the end of the test closes. */
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
  contexts.push(context);
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

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds wrong in a page, with the first place of each. */
export async function violationsOf(shown: Page | Frame): Promise<string[]> {
  await shown.evaluate(`${axe};0`);
  const found: { violations: { id: string; nodes: { html: string }[] }[] } =
    await shown.evaluate('axe.run(document)');
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}
