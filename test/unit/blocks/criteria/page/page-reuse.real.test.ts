import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest';
import { shownBy } from '@/blocks/criteria/page/browser/chromium.js';
import { PageWorld } from '@/blocks/criteria/page/browser/page-world.js';
import { closeIdleBrowsers, pageCriteria } from '@/blocks/criteria/page/index.js';
import type { Artifacts } from '@/core/artifact.js';
import type { CriterionResult } from '@/core/criterion.js';
import { systemClock } from '@/ports/clock.js';
import { describeInBrowser } from '../../../../support/browser.js';
import { tempFolder } from '../../../../support/temp-folder.js';

let folder = '';
const pages = ['index.html', 'about.html', 'prices.html'];
const contentOf = (path: string): string =>
  `<!DOCTYPE html><html lang="en"><title>${path}</title><link rel="stylesheet" href="${path}.css"><main><h1>${path}</h1><p>Text</p></main></html>`;

beforeEach(() => {
  folder = tempFolder('page-reuse');
  for (const path of pages) writeFileSync(join(folder, `${path}.css`), 'p { color: #000 }');
  writeFileSync(join(folder, 'notes.txt'), 'nothing loads this');
});

/** All criteria of one review share what they saw of a folder; this is another review. */
function laterBy(ms: number): void {
  const now = Date.now();
  vi.spyOn(systemClock, 'now').mockImplementation(() => now + ms);
}

afterEach(() => vi.restoreAllMocks());
afterAll(closeIdleBrowsers);

/** Judges all pages by all criteria, and returns how many visits that took. */
async function visitsTo(
  artifacts: Artifacts['artifacts'],
): Promise<readonly [number, readonly CriterionResult[]]> {
  const visits = vi.spyOn(PageWorld, 'of');
  const results = await Promise.all(
    pageCriteria({ folder, timeoutMs: 120_000, screenshots: 'none' }).map((criterion) =>
      criterion.validate({ artifacts }, undefined, { previous: [] }),
    ),
  );
  const count = visits.mock.calls.length;
  visits.mockRestore();
  return [count, results];
}

const visitsOf = (edited = '') =>
  visitsTo(
    pages.map((path) => ({
      type: 'mockup',
      path,
      content: contentOf(path) + (path === edited ? '<!-- edited -->' : ''),
    })),
  );

describeInBrowser('a second review of pages', () => {
  it('visits only the changed page, and all pages if another file changed', async () => {
    expect((await visitsOf())[0]).toBe(3);
    expect((await visitsOf())[0]).toBe(0);
    expect((await visitsOf('about.html'))[0]).toBe(1);
    laterBy(1000);
    writeFileSync(join(folder, 'prices.html.css'), 'p { color: #ddd }');
    const [visits, results] = await visitsOf('about.html');
    expect(visits).toBe(3);
    expect(results.filter(({ findings = [] }) => findings.length > 0)).toHaveLength(1);
    laterBy(2000);
    writeFileSync(join(folder, 'notes.md'), 'nothing loads this');
    expect((await visitsOf('about.html'))[0]).toBe(0);
  });

  it('visits a page again whose frame shows a changed page', async () => {
    const framed = (text: string) => [
      { type: 'mockup', path: 'a.html', content: '<title>A</title><iframe src="b.html"></iframe>' },
      { type: 'mockup', path: 'b.html', content: `<title>B</title><p>${text}</p>` },
    ];
    expect((await visitsTo(framed('One')))[0]).toBe(2);
    expect((await visitsTo(framed('Two')))[0]).toBe(2);
  });
});

it('tells browsers apart by what their scripts say', () => {
  const say = (version: string): string => {
    const path = join(folder, 'chromium');
    writeFileSync(path, `#!/bin/sh\necho "${version}"\n`, { mode: 0o755 });
    return shownBy(path);
  };
  const first = say('Chromium 1');
  expect(first).toContain('Chromium 1');
  expect(say('Chromium 23')).toContain('Chromium 23');
  expect(shownBy('/nowhere/chromium')).toBe('no browser');
});
