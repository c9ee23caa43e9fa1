// node scripts/readme-pictures.mjs   Writes the pictures of the README and of the tutorial, light and dark: a run in
// short (scripts/hero.html), and the report of the demo.
// Needs `npm run build` and Chromium (/usr/bin/chromium, or REVIEWLOOP_CHROMIUM).
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { PNG } from 'pngjs';
import { smallPng } from './small-png.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));
const target = join(root, 'docs', 'pictures');
const folder = mkdtempSync(join(tmpdir(), 'reviewloop-pictures-'));
const executablePath = process.env.REVIEWLOOP_CHROMIUM ?? '/usr/bin/chromium';

execFileSync(process.execPath, [join(root, 'dist', 'bin.js'), 'demo'], { cwd: folder });
const runs = join(folder, '.reviewloop', 'runs');
const [run = ''] = readdirSync(runs);
const page = pathToFileURL(join(runs, run, 'report.html')).href;
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
mkdirSync(target, { recursive: true });
try {
  for (const colorScheme of ['light', 'dark']) {
    const shown = await browser.newPage({ colorScheme, viewport: { width: 1100, height: 1000 } });
    await shown.goto(page);
    await shown.waitForSelector('h1');
    const file = join(target, `report-${colorScheme}.png`);
    writeFileSync(file, smallPng(PNG.sync.read(await shown.screenshot())));
    console.log(file);
    await shown.close();
    const hero = await browser.newPage({
      ...{ colorScheme, deviceScaleFactor: 2, viewport: { width: 640, height: 400 } },
    });
    await hero.goto(pathToFileURL(join(root, 'scripts', 'hero.html')).href);
    const shot = await hero.locator('figure').screenshot();
    writeFileSync(join(target, `hero-${colorScheme}.png`), smallPng(PNG.sync.read(shot)));
    await hero.close();
  }
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}
