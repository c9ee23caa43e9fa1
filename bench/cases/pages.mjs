// How soon the page of a report is ready in Chromium, and how large it is; without Chromium only the size.
// Then how long the criteria over rendered pages take.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { largeRun, largeVersions } from '../lib/large-run.mjs';
import { library } from '../lib/library.mjs';
import { reviewPages } from '../lib/review-pages.mjs';
import { median } from '../lib/stats.mjs';

const executablePath = process.env.REVIEWLOOP_CHROMIUM ?? '/usr/bin/chromium';
const views = ['run', 'gaps', 'versions', 'judges'];
const loads = 7;
const kinds = [
  { gaps: 17, versions: 3 },
  { gaps: 500, versions: 20, readyMs: 500, bytes: 1_000_000 },
  { gaps: 10_000, versions: 2, readyMs: 2_000 },
];

export async function pages(report) {
  const { htmlReport } = await library('reports');
  const browser = existsSync(executablePath)
    ? await chromium.launch({ executablePath, args: ['--no-sandbox'] })
    : undefined;
  if (browser === undefined) console.error(`bench: no ${executablePath}, so no page is opened`);
  const folder = mkdtempSync(join(tmpdir(), 'bench-pages-'));
  try {
    for (const { gaps, versions, readyMs, bytes } of kinds) {
      const run = largeRun(gaps, versions);
      const html = htmlReport(run, { versions: largeVersions(run) });
      const file = join(folder, `${gaps}.html`);
      writeFileSync(file, html);
      const size = { gaps, versions, bytes: html.length, gzipped: gzipSync(html).length };
      if (bytes !== undefined) report.neverAbove(`page of ${gaps} gaps, bytes`, size.bytes, bytes);
      for (const view of browser === undefined ? [] : views) {
        const ready = await readyTime(browser, `${pathToFileURL(file).href}#${view}`);
        report.line('pages', 'reviewloop', { ...size, view, ready });
        if (readyMs !== undefined)
          report.atMost(`${view} of ${gaps} gaps ready, ms`, ready, readyMs);
      }
      if (browser === undefined) report.line('pages', 'reviewloop', size);
    }
  } finally {
    await browser?.close();
    rmSync(folder, { recursive: true });
  }
  if (browser !== undefined) await reviewPages(report, executablePath);
}

/** Returns the median of how long a page took from its address to its first whole frame, in milliseconds. */
async function readyTime(browser, address) {
  const times = [];
  for (let load = 0; load < loads; load += 1) {
    const page = await browser.newPage();
    await page.goto(address);
    times.push(
      await page.evaluate(
        () =>
          new Promise((done) =>
            requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now()))),
          ),
      ),
    );
    await page.close();
  }
  return median(times);
}
