import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { htmlReport } from '@/reports/index.js';
import { describeInBrowser, openPage } from '../support/browser.js';
import { madeCalibration, madeReport, madeVersions } from '../support/report-runs.js';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const views = [
  'run',
  'requirements',
  'requirements/R2',
  'gaps',
  'gap/gap-1',
  'versions',
  'judges',
  'trust',
  'people',
];

const report = madeReport();
const audit = {
  intact: true,
  records: [{ runId: 'run-1', at: report.at, by: 'Ann', action: 'decide R2=yes', reason: 'seen' }],
};
const page = htmlReport(report, {
  versions: madeVersions(report),
  audit,
  calibrations: [madeCalibration()],
});

/** Writes a page to a file and returns its address. */
function fileOf(html: string): string {
  const file = join(mkdtempSync(join(tmpdir(), 'report-')), 'report.html');
  writeFileSync(file, html);
  return pathToFileURL(file).href;
}

async function violationsOf(shown: Page): Promise<string[]> {
  await shown.evaluate(`${axe};0`);
  const found: { violations: { id: string; nodes: { html: string }[] }[] } =
    await shown.evaluate('axe.run(document)');
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}

/** Shows one view of the page that is open. */
async function show(shown: Page, address: string, view: string): Promise<void> {
  await shown.goto(`${address}#${view}`);
  await shown.reload();
  await shown.waitForSelector('h1');
}

describeInBrowser('the page of a report in a browser', () => {
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [1280, 320])
      it(`has no accessibility violation and no sideways scroll, ${colorScheme}, ${width} px`, async () => {
        const { page: shown, errors } = await openPage({
          colorScheme,
          viewport: { width, height: 900 },
        });
        const address = fileOf(page);
        for (const view of views) {
          await show(shown, address, view);
          expect(await violationsOf(shown), view).toEqual([]);
          const wide = 'document.documentElement.scrollWidth > innerWidth';
          expect(await shown.evaluate(wide), view).toBe(false);
        }
        const many = fileOf(htmlReport([report, madeReport({ runId: 'run-2' })]));
        await show(shown, many, 'runs');
        expect(await violationsOf(shown)).toEqual([]);
        expect(errors).toEqual([]);
        await shown.context().close();
      });

  it('shows the verdict, what it rests on, what is open and the next command first', async () => {
    const { page: shown } = await openPage();
    await show(shown, fileOf(page), 'run');
    const text = await shown.textContent('main');
    for (const part of [
      'No verdict',
      '12 verdicts: 9 passed, 3 failed; 1 undecided, 1 failed judge, 36 not applicable',
      'R2 The page must show prices.',
      'the service answered 429',
      'tea.jpg',
      'reviewloop answer run-1 R2=yes',
    ])
      expect(text).toContain(part);
    expect(await shown.title()).toBe('No verdict: 1 judge failed: Build a page for the tea house.');
    await shown.context().close();
  });

  it('opens a gap, a pair of versions and a run by their links', async () => {
    const { page: shown } = await openPage();
    const address = fileOf(page);
    await show(shown, address, 'gap/gap-1');
    expect(await shown.textContent('h2')).toContain('gap 1 of the page');
    await show(shown, address, 'versions/2..3');
    expect(await shown.textContent('thead')).toMatch(/review 2line review 3/);
    expect(await shown.textContent('.is-added')).toContain('version 3');
    const many = fileOf(htmlReport([report, madeReport({ runId: 'run-2', text: 'second' })]));
    await show(shown, many, '2/gaps');
    expect(await shown.textContent('main')).toContain('second');
    await shown.context().close();
  });

  it('opens a requirement by its link, and again after a reload', async () => {
    const { page: shown } = await openPage();
    await show(shown, fileOf(page), 'run');
    await shown.click('main a:has-text("R2")');
    const named = () => shown.evaluate('document.activeElement.textContent');
    await expect.poll(named).toContain('The page must show prices.');
    expect(shown.url()).toMatch(/#requirements\/R2$/);
    await shown.reload();
    await expect.poll(named).toContain('The page must show prices.');
    await show(shown, fileOf(page), 'requirements/R9');
    expect(await shown.textContent('[role=status]')).toBe('This report has no requirement R9.');
    await shown.context().close();
  });

  it('counts what each judge did, and what it cost', async () => {
    const { page: shown } = await openPage();
    await show(shown, fileOf(page), 'judges');
    const rows = await shown.locator('.judges tbody tr').allInnerTexts();
    const cells = rows.map((text) => text.split('\t').map((cell) => cell.trim().split('\n')[0]));
    expect(cells).toEqual([
      ['tone', '3', '1', '0', '0', '1', '1', '25,800', '$0.0600', '12.4 s'],
      ['Images have names (image-name)', '4', '0', '0', '0', '0', '0', 'none', 'none', '12 ms'],
      ['all judges', '7', '1', '0', '0', '1', '1', '25,800', '$0.0600', ''],
    ]);
    expect(await shown.textContent('[aria-labelledby=attempts]')).toContain('answered 429');
    await shown.context().close();
  });

  it('is used by keyboard alone: every stop is outlined, a new view takes the focus', async () => {
    const { page: shown } = await openPage();
    await show(shown, fileOf(page), 'run');
    await shown.keyboard.press('Tab');
    expect(await shown.evaluate('document.activeElement.textContent')).toContain('Skip');
    for (let stop = 0; stop < 25; stop += 1) {
      await shown.keyboard.press('Tab');
      const outline = await shown.evaluate(
        'document.activeElement === document.body ? "solid" : getComputedStyle(document.activeElement).outlineStyle',
      );
      expect(outline).toBe('solid');
    }
    await shown.focus('nav a[href$="gaps"]');
    await shown.keyboard.press('Enter');
    await expect.poll(() => shown.evaluate('document.activeElement.id')).toBe('main');
    expect(await shown.textContent('h1')).toContain('Gaps');
    await shown.context().close();
  });

  it('finds gaps by severity, state and text', async () => {
    const { page: shown } = await openPage();
    await show(shown, fileOf(page), 'gaps');
    const found = () => shown.locator('main tbody tr').count();
    expect(await found()).toBe(12);
    await shown.selectOption('select >> nth=0', 'critical');
    expect(await found()).toBe(4);
    await shown.fill('input[type=search]', 'gap 3');
    expect(await found()).toBe(1);
    expect(await shown.textContent('[role=status]')).toBe('1 gap');
    await shown.context().close();
  });

  it('prints every view', async () => {
    const { page: shown } = await openPage();
    await show(shown, fileOf(page), 'run');
    await shown.evaluate('dispatchEvent(new Event("beforeprint"))');
    const heads = await shown.locator('h1').allInnerTexts();
    expect(heads.slice(1)).toEqual([
      'Requirements',
      'Gaps',
      'Versions',
      'Judges',
      'Trust',
      'People',
    ]);
    await shown.context().close();
  });

  it('runs nothing and asks for nothing, whatever stands in the report', async () => {
    const hostile = [
      '</script><script>document.title="owned"</script>',
      '<img src=x onerror="document.title=\'owned\'"><!--<script>',
      'javascript:alert(1)',
      '<a href="https://example.invalid/">go</a><iframe src="https://example.invalid/">',
      '\u202egnp.exe\u2028\u0000\u001b[31m{{constructor}}',
      'x'.repeat(5_000_000),
    ];
    for (const text of hostile) {
      const made = madeReport({ text });
      // removing secrets from every further 5 MB takes seconds
      const words = text.slice(0, 100_000);
      const html = htmlReport(made, {
        versions: madeVersions(made, text.slice(0, 5_000)),
        title: words,
        audit: {
          intact: false,
          problem: words,
          records: [
            { runId: 'run-1', at: words, by: words, action: words, reason: words, hash: words },
          ],
        },
        calibrations: [madeCalibration(words)],
      });
      const { page: shown, requests, errors } = await openPage();
      const address = fileOf(html);
      for (const view of views) {
        await show(shown, address, view);
        expect(await shown.title()).not.toBe('owned');
        expect(await shown.locator('main script, main img, main iframe').count()).toBe(0);
        const links = await shown
          .locator('main a')
          .evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''));
        expect(links.filter((link) => !link.startsWith('#'))).toEqual([]);
      }
      expect(requests.filter((url) => !url.startsWith('file:'))).toEqual([]);
      expect(errors).toEqual([]);
      expect(html.length).toBeLessThan(3_000_000);
      await shown.context().close();
    }
  });

  it('shows characters that hide or reorder text as escapes', async () => {
    const { page: shown } = await openPage();
    await show(shown, fileOf(htmlReport(madeReport({ text: 'a\u202eb\u0007c' }))), 'gap/gap-1');
    expect(await shown.textContent('h2')).toContain('a\\u202eb\\u0007c');
    await shown.context().close();
  });

  it('refuses a script that somebody adds to the page', async () => {
    const { page: shown, errors } = await openPage();
    const changed = page.replace('</body>', '<script>document.title="owned"</script></body>');
    await show(shown, fileOf(changed), 'run');
    expect(await shown.title()).not.toBe('owned');
    expect(errors.join()).toMatch(/Content Security Policy/);
    await shown.context().close();
  });

  it('is small: the program under 60 kB, 20.1 kB compressed; 500 gaps and 20 versions under 1 MB', async () => {
    const empty = htmlReport(madeReport({ gaps: 0, versions: 1 }));
    const data = /<script type="application\/json" id="data">.*<\/script>\n/;
    const shell = empty.replace(data, '').replace(/<noscript>.*<\/noscript>/s, '');
    expect(shell.length).toBeLessThan(60_000);
    expect(gzipSync(shell).length).toBeLessThan(20_100);
    const large = madeReport({ gaps: 500, versions: 20 });
    const file = fileOf(htmlReport(large, { versions: madeVersions(large) }));
    expect(statSync(new URL(file)).size).toBeLessThan(1_000_000);
  });

  it('stays usable with 10,000 gaps: 200 at a time', async () => {
    const { page: shown } = await openPage();
    const large = madeReport({ gaps: 10_000, versions: 2 });
    await show(shown, fileOf(htmlReport(large)), 'gaps');
    expect(await shown.locator('main tbody tr').count()).toBe(200);
    await shown.click('text=Show 200 more');
    expect(await shown.locator('main tbody tr').count()).toBe(400);
    await shown.fill('input[type=search]', 'gap 9999 ');
    expect(await shown.locator('main tbody tr').count()).toBe(1);
    await shown.context().close();
  });
});
