import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pixelmatch from 'pixelmatch';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { expect } from 'vitest';
import { smallPng } from '../../scripts/small-png.mjs';
import { openPage } from './browser.js';

const folder = fileURLToPath(new URL('../browser/screenshots/', import.meta.url));
const markFile = join(folder, 'machine.txt');
const isUpdate = process.env['UPDATE_SCREENSHOTS'] === '1';

/** How far one pixel may differ, from 0 to 1; the references have few colours. */
const threshold = 0.12;
/** The share of pixels that may differ. */
const mostDifferent = 0.002;

/** What decides how text looks: the browser, and how wide its fonts draw some texts. */
async function machineOf(): Promise<string> {
  const { page } = await openPage();
  const widths: number[] = await page.evaluate(`(() => {
    const families = ['system-ui', 'ui-monospace', 'Liberation Sans', 'Liberation Mono', 'sans-serif', 'monospace'];
    const pen = document.createElement('canvas').getContext('2d');
    return families.map((family) => {
      pen.font = '16px "' + family + '", ' + family;
      return Math.round(pen.measureText('Reviews rest on 1,234 verdicts: WMil').width * 100);
    });
  })()`);
  const major = page.context().browser()?.version().split('.')[0] ?? '';
  await page.context().close();
  return JSON.stringify({ chromium: major, widths });
}

/**
 * Returns why screenshots cannot be compared on this machine: another browser or other fonts draw
 * other pixels. `undefined` if they can, or are made anew (`UPDATE_SCREENSHOTS=1`).
 */
export async function incomparable(): Promise<string | undefined> {
  const here = await machineOf();
  if (isUpdate || !existsSync(markFile)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(markFile, `${here}\n`);
    return undefined;
  }
  const made = readFileSync(markFile, 'utf8').trim();
  return made === here
    ? undefined
    : `the screenshots are of another machine: ${made}, here ${here}`;
}

/** Compares what a page shows with its reference; a missing reference is written. */
export async function expectScreenshot(page: Page, name: string): Promise<void> {
  // an animation or a caret would differ from run to run
  const taken = PNG.sync.read(await page.screenshot({ animations: 'disabled', caret: 'hide' }));
  const file = join(folder, `${name}.png`);
  if (isUpdate || !existsSync(file)) {
    writeFileSync(file, smallPng(taken));
    return;
  }
  const reference = PNG.sync.read(readFileSync(file));
  const { width, height } = reference;
  expect([taken.width, taken.height], name).toEqual([width, height]);
  const difference = new PNG({ width, height });
  const different = pixelmatch(reference.data, taken.data, difference.data, width, height, {
    threshold,
  });
  if (different > width * height * mostDifferent) {
    const shown = join(folder, `${name}.different.png`);
    writeFileSync(shown, PNG.sync.write(difference));
    expect.fail(
      `${name} differs in ${different} pixels; ${shown} shows them. UPDATE_SCREENSHOTS=1 accepts the page`,
    );
  }
}
