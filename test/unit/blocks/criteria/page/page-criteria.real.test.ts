import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { closeIdleBrowsers, pageCriteria } from '@/blocks/criteria/page/index.js';
import type { PageOptions } from '@/blocks/criteria/page/page-options.js';
import type { Artifacts } from '@/core/artifact.js';
import type { CriterionResult } from '@/core/criterion.js';
import { describeInBrowser } from '../../../../support/browser.js';
import { errorWith } from '../../../../support/matchers.js';
import { cleanPage, faultyPage, planted } from '../../../../support/planted-page.js';

const timeoutMs = 120_000;

afterAll(closeIdleBrowsers);

/** Judges an output by all criteria, as a pipeline does. */
async function judged(
  output: Artifacts,
  options: PageOptions = {},
): Promise<ReadonlyMap<string, CriterionResult>> {
  return new Map(
    await Promise.all(
      pageCriteria({ timeoutMs, ...options }).map(
        async (criterion) =>
          [criterion.id, await criterion.validate(output, undefined, { previous: [] })] as const,
      ),
    ),
  );
}

function pageOf(body: string, head = ''): Artifacts {
  const content = `<!DOCTYPE html><html lang="en"><head><title>T</title>${head}</head><body><main><h1>T</h1>${body}</main></body></html>`;
  return { artifacts: [{ type: 'mockup', path: 'index.html', content }] };
}

function findingsOf(results: ReadonlyMap<string, CriterionResult>): string[] {
  return [...results].flatMap(([id, { findings = [] }]) =>
    findings.map(({ description }) => `${id} ${description}`),
  );
}

describe('pageCriteria', () => {
  it('refuses options that it does not know, and values that it cannot use', () => {
    expect(() => pageCriteria(JSON.parse('{"script":true}'))).toThrow(/no option `script`/);
    expect(() => pageCriteria({ maxPages: 0 })).toThrow(/maxPages/);
    expect(() => pageCriteria({ tags: [] })).toThrow(/tags/);
    expect(() => pageCriteria({ scripts: true, allowNoSandbox: true })).toThrow(/allowNoSandbox/);
  });

  it('throws for a named browser that is not there, with the command that installs one', () => {
    expect(() => pageCriteria({ browser: { executablePath: '/nowhere/chromium' } })).toThrow(
      expect.objectContaining(errorWith('browser_missing', /\/nowhere\/chromium.*Install one: /s)),
    );
  });

  it('decides nothing without a browser, and says why', async () => {
    vi.stubEnv('PATH', '/nowhere');
    vi.stubEnv('REVIEWLOOP_CHROMIUM', '/nowhere/chromium');
    onTestFinished(() => void vi.unstubAllEnvs());
    const results = await judged(pageOf('<p>No browser here</p>'), { scripts: true });
    expect([...results.values()].map(({ passed, undecided }) => [passed, undecided])).toEqual(
      pageCriteria().map(() => [
        false,
        expect.stringMatching(/no browser was found at.*Install one/),
      ]),
    );
  });

  it('is skipped without a page', async () => {
    const results = await judged({ artifacts: [{ type: 'code', path: 'a.js', content: '1' }] });
    expect([...results.values()].map(({ skipped }) => skipped)).toEqual(
      pageCriteria().map(() => 'no HTML was found'),
    );
  });
});

describeInBrowser('pageCriteria in a browser', () => {
  it('finds the planted faults, each with its line, a quote and a picture', async () => {
    const results = await judged(faultyPage);
    const missed = planted.filter(
      ({ criterion, finding }) =>
        results.get(criterion)?.findings?.some(({ description }) => finding.test(description)) !==
        true,
    );
    expect(missed.map(({ what }) => what)).toEqual([]);
    const page = faultyPage.artifacts.find(({ path }) => path === 'index.html')?.content ?? '';
    for (const { file, line = 0, evidence = '', picture } of results.get('page-contrast')
      ?.findings ?? []) {
      expect(file).toBe('index.html');
      expect(page.split('\n')[line - 1]).toContain(evidence);
      expect(picture).toMatch(/^data:image\/jpeg;base64,/);
    }
  });

  it('finds nothing in the twin without the faults', async () => {
    const results = await judged(cleanPage);
    expect(findingsOf(results)).toEqual([]);
    expect([...results].filter(([, { undecided }]) => undecided !== undefined)).toEqual([]);
  });

  it('gives the same results again, and two at a time', async () => {
    const plain = (results: ReadonlyMap<string, CriterionResult>): string =>
      JSON.stringify([...results], (name, value) => (name === 'picture' ? undefined : value));
    const first = plain(await judged(faultyPage, { screenshots: 'none' }));
    for (const round of [1, 2, 3]) {
      // another limit is another visit
      const [one, other] = await Promise.all([
        judged(faultyPage, { screenshots: 'none', timeoutMs: timeoutMs + round }),
        judged(faultyPage, { screenshots: 'none', timeoutMs: timeoutMs + 100 + round }),
      ]);
      expect(plain(one)).toBe(first);
      expect(plain(other)).toBe(first);
    }
  });

  it('finds a target of 23 px, a box of 321 px, and passes 24 px and 300 px', async () => {
    const page = (size: number, width: number): Artifacts =>
      pageOf(
        `<button aria-label="One"></button><button aria-label="Two"></button><div class="box">A box</div>`,
        `<style>body{margin:0}button{width:${size}px;height:${size}px;padding:0;border:0;margin:0;background:#333}.box{width:${width}px}</style>`,
      );
    const bad = await judged(page(18, 321));
    expect(bad.get('page-target-size')?.passed).toBe(false);
    expect(bad.get('page-reflow')?.findings?.[0]?.description).toMatch(/321 px in a window of 320/);
    const good = await judged(page(24, 300));
    expect(good.get('page-target-size')?.passed).toBe(true);
    expect(good.get('page-reflow')?.passed).toBe(true);
  });

  it('finds a keyboard trap and errors of scripts only when scripts run', async () => {
    const page = pageOf(
      '<a href="#x" id="x">One</a> <button onblur="setTimeout(() => this.focus(), 5)">Stay</button> <a href="#x">Two</a><script>missing()</script>',
    );
    const off = await judged(page);
    expect(off.get('page-keyboard-trap')?.skipped).toMatch(/scripts: true/);
    expect(off.get('page-errors')?.skipped).toMatch(/scripts: true/);
    const on = await judged(page, { scripts: true });
    expect(on.get('page-keyboard-trap')?.findings?.[0]?.description).toMatch(/does not lead out/);
    expect(on.get('page-errors')?.findings?.[0]?.description).toMatch(/missing is not defined/);
  });

  it.each([
    ['color:#fff;background:#fff', 'White on white', /p:nth|main > p: .*equal|1:1/],
    ['color:#444;background:linear-gradient(#fff,#ddd)', 'On a gradient', /background gradient/],
    ['color:#444;background:url(a.png)', 'On a picture', /background image/],
  ])('leaves text undecided that axe cannot tell: %s', async (style, text, reason) => {
    const { undecided, passed } =
      (await judged(pageOf(`<p style="${style}">${text}</p>`))).get('page-contrast') ?? {};
    expect([passed, undecided]).toEqual([false, expect.stringMatching(reason)]);
  });
});
