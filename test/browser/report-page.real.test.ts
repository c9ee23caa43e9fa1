import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { htmlReport } from '@/faces/reports/index.js';
import { bakery } from '../support/bakery.js';
import { describeInBrowser, openPage, violationsOf } from '../support/browser.js';
import { madeCalibration, madeReport, madeVersions } from '../support/report-runs.js';
import { tempFolder } from '../support/temp-folder.js';
import { folderOf, runCli } from '../unit/faces/cli/harness.js';

const views = [
  'run',
  'open',
  'requirements',
  'requirements/R2',
  'gap/gap-1',
  'versions',
  'judges',
  'about',
];

const next = [
  { why: 'answers R2 here', command: 'reviewloop answer run-1 R2=yes' },
  { why: 'answers in the browser', command: 'reviewloop inbox' },
];
const report = { ...madeReport(), next };
const audit = {
  intact: true,
  records: [{ runId: 'run-1', at: report.at, by: 'Ann', action: 'decide R2=yes', reason: 'seen' }],
};
const page = htmlReport(report, {
  versions: madeVersions(report),
  audit,
  calibrations: [madeCalibration()],
});

function fileOf(html: string): string {
  const file = join(tempFolder('report'), 'report.html');
  writeFileSync(file, html);
  return pathToFileURL(file).href;
}

/** Shows one view of the page that is open. */
async function show(shown: Page, address: string, view: string): Promise<void> {
  await shown.goto(`${address}#${view}`);
  await shown.reload();
  await shown.waitForSelector('h1');
}

describeInBrowser('the page of a report in a browser', () => {
  // a width moves what is there, a scheme only colours it
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of colorScheme === 'light' ? [1280, 768, 320] : [1280])
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
      });

  it('says the task, the verdict, which version came back and what to do first [R3-075, R3-076, R3-080]', async () => {
    const { page: shown } = await openPage();
    await show(shown, fileOf(page), 'run');
    expect(await shown.textContent('h1')).toBe('Build a page for the tea house.');
    expect(await shown.title()).toBe('No verdict: Build a page for the tea house.');
    expect(await shown.textContent('.word')).toBe('No verdict: 1 judge failed');
    expect(await shown.locator('.tri > div').allInnerTexts()).toEqual([
      expect.stringMatching(
        /^What came back\nVersion 4, the last of 4\nIt is the best: 3 gaps; version 1 has 12 gaps/,
      ),
      expect.stringMatching(/^What is open\n3 gaps in 1 file\n3 in site\/index.html, 1 question/),
      expect.stringMatching(/^What to do next\nAnswers R2 here\nreviewloop answer run-1 R2=yes/),
    ]);
    const bottom = await shown.evaluate(
      'document.querySelector(".tri").getBoundingClientRect().bottom',
    );
    expect(bottom).toBeLessThan(900);
    const text = await shown.textContent('main');
    for (const part of ['answered 429', 'TASK.md', 'tea.jpg', 'All ways on', 'reviewloop inbox'])
      expect(text).toContain(part);
    expect(await shown.locator('.brand').getAttribute('href')).toBe('#run');
    await shown.click('text=Read');
    await expect.poll(() => shown.evaluate('scrollY > 0')).toBe(true);
  });

  it('says beside the verdict that the audit log is broken', async () => {
    const { page: shown } = await openPage();
    const broken = { intact: false, problem: 'record 2 was changed', records: [] };
    await show(shown, fileOf(htmlReport(report, { audit: broken })), 'run');
    expect(await shown.textContent('.verdict')).toContain('audit log broken record 2 was changed');
  });

  it('opens a gap, a pair of versions and a run by their links', async () => {
    const { page: shown } = await openPage();
    const address = fileOf(page);
    await show(shown, address, 'gap/gap-1');
    expect(await shown.textContent('h2')).toContain('Gap 1 of the page');
    await show(shown, address, 'versions/2..3');
    expect(await shown.textContent('h2')).toBe('From version 2 to version 3');
    expect(await shown.textContent('.add')).toContain('version 3');
    const many = fileOf(htmlReport([report, madeReport({ runId: 'run-2', text: 'second' })]));
    await show(shown, many, '2/run');
    expect(await shown.textContent('main')).toContain('second');
    expect(await shown.title()).toBe('No verdict: second');
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
  });

  it('shows what each judge found in each version, and its cost once [R3-081]', async () => {
    const { page: shown } = await openPage();
    await show(shown, fileOf(page), 'judges');
    const rows = await shown.locator('[aria-label="Judges, table"] tbody tr').allInnerTexts();
    const cells = rows.map((text) => text.split('\t').map((cell) => cell.trim().split('\n')[0]));
    expect(cells).toEqual([
      ['tone', 'failed', 'failed', 'failed', 'failed', '25,800 tokens, $0.06, 12.4 s'],
    ]);
    expect(await shown.textContent('summary')).toBe('1 judge without a finding');
    expect(await shown.textContent('[aria-labelledby=attempts]')).toContain('answered 429');
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
    await shown.focus('nav a[href$="versions"]');
    await shown.keyboard.press('Enter');
    await expect.poll(() => shown.evaluate('document.activeElement.id')).toBe('main');
    expect(await shown.textContent('h2')).toContain('From version 1');
  });

  it('shows each table as a list at 320 px: states in words, nothing cut [R3-079]', async () => {
    const { page: shown } = await openPage({ viewport: { width: 320, height: 700 } });
    await show(shown, fileOf(page), 'run');
    const cut = `[...document.querySelectorAll('main *')]
      .filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
      .map((one) => one.outerHTML.slice(0, 80))`;
    for (const view of views) {
      await show(shown, fileOf(page), view);
      expect(await shown.evaluate(cut), view).toEqual([]);
    }
    await show(shown, fileOf(page), 'run');
    const life = shown.locator('.life td:visible');
    expect(await life.allInnerTexts()).toEqual(
      expect.arrayContaining([expect.stringMatching(/✓ fixed/), expect.stringMatching(/● found/)]),
    );
    const after = "getComputedStyle(document.querySelector('.life td'), '::after').content";
    expect(await shown.evaluate(after)).toContain('in');
  });

  it('draws no chart, and shows requirements as cells with their numbers in words [R3-082]', async () => {
    const { page: shown } = await openPage();
    await show(shown, fileOf(page), 'run');
    expect(await shown.locator('svg text, svg path[d*="L"]').count()).toBe(0);
    const [best = ''] = await shown.locator('.best').allInnerTexts();
    expect(best.replace(/\s+/g, ' ')).toBe(
      'Version 4 came back 3 open ✓ ? 1 met, 1 undecided 0.90',
    );
    expect(await shown.textContent('body')).not.toMatch(/ of 10 met|% of the words/);
  });

  it('prints every view of a run of two files on at most four pages [R3-079]', async () => {
    const cwd = await folderOf(bakery);
    const words = ['review', 'site', '--task', 'TASK.md', '--fix', '-q', '--report', 'html=r.html'];
    await runCli(cwd, words);
    const { page: shown } = await openPage();
    await show(shown, pathToFileURL(join(cwd, 'r.html')).href, 'run');
    expect(await shown.textContent('h1')).toBe('Bakery website');
    const pdf = await shown.pdf({ format: 'A4' });
    expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length).toBeLessThan(5);
    await shown.evaluate('dispatchEvent(new Event("beforeprint"))');
    const heads = await shown.locator('h2').allInnerTexts();
    for (const head of ['From version 1 to version 2', 'Requirements', 'Judges', 'The run'])
      expect(heads).toContain(head);
  });

  it('runs nothing and asks for nothing, whatever stands in the report', async () => {
    const hostile = [
      '</script><script>document.title="owned"</script>',
      '<img src=x onerror="document.title=\'owned\'"><!--<script>',
      'javascript:alert(1)',
      '<a href="https://example.invalid/">go</a><iframe src="https://example.invalid/">',
      '\u202egnp.exe\u2028\u0000\u001b[31m{{constructor}}',
      'x'.repeat(500_000),
    ];
    for (const text of hostile) {
      const made = madeReport({ text });
      // removing secrets from more takes seconds
      const words = text.slice(0, 100_000);
      const ways = [{ why: words, command: words }];
      const html = htmlReport(
        { ...made, next: ways },
        {
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
        },
      );
      const { page: shown, requests, errors } = await openPage();
      const address = fileOf(html);
      for (const view of views) {
        await show(shown, address, view);
        expect(await shown.title()).not.toBe('owned');
        expect(
          await shown.locator('main script, main img, main iframe, main [style]').count(),
        ).toBe(0);
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
    expect(await shown.textContent('h2')).toContain('A\\u202eb\\u0007c');
  });

  it('refuses a script that somebody adds to the page', async () => {
    const { page: shown, errors } = await openPage();
    const changed = page.replace('</body>', '<script>document.title="owned"</script></body>');
    await show(shown, fileOf(changed), 'run');
    expect(await shown.title()).not.toBe('owned');
    expect(errors.join()).toMatch(/Content Security Policy/);
  });

  it('is small: the program under 51 kB, 19 kB compressed; 500 gaps and 20 versions under 1 MB', async () => {
    const empty = htmlReport(madeReport({ gaps: 0, versions: 1 }));
    const data = /<script type="application\/json" id="data">.*<\/script>\n/;
    const shell = empty.replace(data, '').replace(/<noscript>.*<\/noscript>/s, '');
    expect(shell.length).toBeLessThan(51_000);
    expect(gzipSync(shell).length).toBeLessThan(19_000);
    const large = madeReport({ gaps: 500, versions: 20 });
    const file = fileOf(htmlReport(large, { versions: madeVersions(large) }));
    expect(statSync(new URL(file)).size).toBeLessThan(1_000_000);
  });

  it('stays usable with 10,000 gaps: 200 at a time', async () => {
    const { page: shown } = await openPage();
    const large = madeReport({ gaps: 10_000, versions: 2 });
    await show(shown, fileOf(htmlReport(large)), 'run');
    expect(await shown.locator('.gap').count()).toBe(200);
    await shown.click('[aria-labelledby=open] >> text=Show 200 more');
    expect(await shown.locator('.gap').count()).toBe(400);
  });

  it('lists runs by task, the newest first, with what was decided and what is open [R3-080]', async () => {
    const { page: shown } = await openPage();
    const older = { ...madeReport({ runId: 'run-2' }), at: '2026-11-21T10:00:00.000Z' };
    const ways = ['reviewloop answer run-3 R2=yes', 'reviewloop inbox'];
    const other = {
      ...madeReport({ runId: 'run-3', gaps: 0 }),
      ...{ task: { source: 'B.md', text: '# Bread' }, failures: [], notReviewed: [] },
      ...{ status: 'exhausted', next: ways.map((command) => ({ why: '', command })) },
    };
    await show(shown, fileOf(htmlReport([older, other, report])), 'runs');
    expect(await shown.textContent('h1 + p')).toBe(
      '3 runs of 2 tasks. 1 question in 1 run for you: reviewloop inbox',
    );
    expect(await shown.textContent('li p')).toBe('next reviewloop answer run-3 R2=yes');
    expect(await shown.locator('h2').allInnerTexts()).toEqual(
      expect.arrayContaining(['Bread B.md', 'Build a page for the tea house. TASK.md']),
    );
    const rows = await shown.locator('li').allInnerTexts();
    expect(rows.find((row) => row.includes('run-1'))?.split('\n')).toEqual([
      ...['No verdict', '1 judge failed', 'version 4', '2026-11-22 10:00'],
      ...['51,600 tokens, $0.12, 4 min 10 s', 'run-1'],
    ]);
    await shown.click('a:has-text("No verdict") >> nth=0');
    await shown.waitForSelector('.verdict');
  });
});
