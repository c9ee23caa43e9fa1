import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, posix } from 'node:path';
import axe from 'axe-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readBook, targetOf } from '../../site/book.mjs';
import { describeInBrowser, openPage } from '../support/browser.js';
import { buildSite, builtFiles, describeSite, siteFolder } from '../support/site.js';

const read = (path: string) => readFileSync(join(siteFolder, path), 'utf8');
const listed = readBook().flatMap(({ pages }) => pages.map(({ path }) => targetOf(path)));
const htmlOf = (target: string) => target.replace(/\.md$/, '.html');

/** One page of each layout; `REVIEWLOOP_SITE=all` checks every page. */
const layouts = [
  'index.html',
  'all-pages.html',
  'tutorial/a-loop.html',
  'cli.html',
  'reference/index.html',
  'reference/reviewers.html',
  'source/examples/frameworks/ai-sdk-ts.html',
  '404.html',
];

const all = process.env['REVIEWLOOP_SITE'] === 'all' && existsSync(siteFolder);

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

async function serve(): Promise<{ server: Server; url: string }> {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://x').pathname);
    const file = join(siteFolder, path.endsWith('/') ? `${path}index.html` : path);
    if (!existsSync(file) || !statSync(file).isFile()) response.writeHead(404).end();
    else {
      response.writeHead(200, { 'content-type': types[extname(file)] ?? 'text/plain' });
      createReadStream(file).pipe(response);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** The ids of a page, and where its elements lead. */
function partsOf(html: string) {
  const without = html.replaceAll(/<(script|style)[\s\S]*?<\/\1>/g, '');
  return {
    ids: new Set([...without.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id)),
    links: [...without.matchAll(/<a [^>]*?href="([^"]*)"/g)].map(([, to = '']) =>
      to.replaceAll('&amp;', '&'),
    ),
  };
}

describeSite('the site', () => {
  let said = '';
  beforeAll(async () => {
    said = await buildSite();
  });

  it('has every page of the list, and the types of every entry point', () => {
    expect(said).toMatch(/site\/dist: \d+ pages, 34 of the reference/);
    expect(listed.filter((target) => !existsSync(join(siteFolder, htmlOf(target))))).toEqual([]);
  });

  it('has no link and no anchor that leads nowhere', () => {
    const pages = new Map(builtFiles('.html').map((path) => [path, partsOf(read(path))]));
    const broken = [...pages].flatMap(([path, { links }]) =>
      links.flatMap((link) => {
        if (/^[a-z]+:/.test(link)) return [];
        const [to = '', anchor = ''] = link.split('#');
        const absolute = posix.resolve('/', posix.dirname(path), to);
        const target = to === '' ? path : `${absolute.slice(1)}${to.endsWith('/') ? '/' : ''}`;
        const file = /(^|\/)$/.test(target) ? `${target.replace(/^\/$/, '')}index.html` : target;
        const found = pages.get(file) ?? pages.get(`${file}.html`);
        if (found === undefined)
          return existsSync(join(siteFolder, file)) ? [] : [`${path}: ${link}`];
        return anchor === '' || found.ids.has(decodeURIComponent(anchor))
          ? []
          : [`${path}: ${link}`];
      }),
    );
    expect(broken).toEqual([]);
  });

  it('loads nothing from other hosts', () => {
    const loads =
      /<(?:script|img|source|iframe)[^>]*\b(?:src|srcset)="https?:|<link[^>]*\bhref="https?:/;
    expect(builtFiles('.html').filter((path) => loads.test(read(path)))).toEqual([]);
    const styles = builtFiles('.css');
    expect(styles.length).toBeGreaterThan(0);
    expect(styles.filter((path) => /@import|url\(["']?(?:https?:)?\/\//.test(read(path)))).toEqual(
      [],
    );
  });

  it('has llms.txt, llms-full.txt, and the Markdown that they lead to', () => {
    const links = [...read('llms.txt').matchAll(/\]\(([^)]+)\)/g)].map(([, to = '']) => to);
    expect(links.length).toBeGreaterThan(listed.length + 30);
    expect(links.filter((to) => !existsSync(join(siteFolder, to)))).toEqual([]);
    const full = read('llms-full.txt');
    expect(listed.filter((target) => !full.includes(`<!-- ${target} -->`))).toEqual([]);
  });

  describeInBrowser('in Chromium', () => {
    let site = { url: '', server: undefined as Server | undefined };
    beforeAll(async () => {
      site = await serve();
    });
    afterAll(() => void site.server?.close());

    const openAt = async (path: string, colorScheme: 'light' | 'dark') => {
      const watched = await openPage({ colorScheme });
      await watched.page.goto(`${site.url}/${path}`, { waitUntil: 'networkidle' });
      return watched;
    };

    it.each([
      ...(all ? builtFiles('.html') : layouts).map((path) => [path, 'light'] as const),
      ...['index.html', 'cli.html'].map((path) => [path, 'dark'] as const),
    ])('%s, %s: passes axe and asks no other host', async (path, scheme) => {
      const { page, requests, errors } = await openAt(path, scheme);
      await page.evaluate(axe.source);
      const { violations } = (await page.evaluate('axe.run()')) as axe.AxeResults;
      expect(
        violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`),
      ).toEqual([]);
      expect(
        requests.filter((url) => !url.startsWith(site.url) && !url.startsWith('data:')),
      ).toEqual([]);
      expect(errors).toEqual([]);
      await page.context().close();
    });

    const widths = [320, 768, 1280];
    it.each(widths)(
      'the home shows a run, the judges and whole lines, %i px [R3-083]',
      async (width) => {
        const { page } = await openPage({ viewport: { width, height: 900 } });
        await page.goto(`${site.url}/index.html`, { waitUntil: 'networkidle' });
        expect(await page.locator('h1').first().textContent()).toMatch(/Know whether it is/);
        expect(await page.locator('figure').isVisible()).toBe(true);
        expect(await page.locator('table').textContent()).toMatch(/guarded/);
        const cut = `[document.documentElement, ...document.querySelectorAll('.home code')]
        .filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0)
        .map((one) => one.tagName + one.textContent.slice(0, 40))`;
        expect(await page.evaluate(cut)).toEqual([]);
        await page.context().close();
      },
    );

    it('finds a page by a word', async () => {
      const { page } = await openAt('index.html', 'light');
      await page.getByRole('button', { name: 'Search' }).first().click();
      await page.getByRole('searchbox').fill('certificate');
      await page.getByRole('option').first().waitFor();
      const results = await page.getByRole('option').allTextContents();
      expect(results.join(' ')).toMatch(/certificate/i);
      await page.context().close();
    });
  });
});
