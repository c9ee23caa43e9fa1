import { afterAll, expect, it } from 'vitest';
import { closeIdleBrowsers, pageCriteria } from '@/blocks/criteria/page/index.js';
import type { PageOptions } from '@/blocks/criteria/page/page-options.js';
import { definePipeline } from '@/index.js';
import { describeInBrowser } from '../../../../support/browser.js';

afterAll(closeIdleBrowsers);

/** A page whose content and styles are given. */
const page = (content: string, style = ''): string =>
  `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Tides</title>
<meta name="viewport" content="width=device-width"><style>${style}</style></head>
<body>${content}</body></html>`;

const text = '<main><h1>Tides</h1><p>High water at noon, low water at six.</p></main>';

async function reviewed(content: string, options: PageOptions = {}) {
  const output = { artifacts: [{ type: 'mockup', path: 'index.html', content }] };
  const pipeline = definePipeline({
    produce: async () => output,
    reviewers: pageCriteria({ screenshots: 'none', ...options }),
  });
  const outcome = await pipeline.run('Build a page of tides');
  const of = (wanted: string) =>
    (outcome.reviews[0]?.assessments ?? []).filter(({ verdict }) => verdict === wanted);
  return { approved: outcome.approved, code: outcome.code, of };
}

describeInBrowser('a page on which a person sees nothing', () => {
  it.each([
    ['hidden', 'body { display: none }'],
    ['invisible', 'body { visibility: hidden }'],
    ['transparent', 'main { opacity: 0 }'],
    ['beside the window', 'main { position: absolute; left: -9999px }'],
    ['cut off', 'main { clip-path: inset(100%) }'],
    ['as bright as its background', '* { color: #fff; background: #fff }'],
    ['covered', 'body::after { content: ""; position: fixed; inset: 0; background: #fff }'],
  ])('is not approved: %s', async (_how, style) => {
    const { approved, code, of } = await reviewed(page(text, style));
    expect([approved, code]).toEqual([false, 'undecided']);
    expect(of('pass')).toEqual([]);
    expect(of('undecided').map((one) => ('reason' in one ? one.reason : ''))).toContain(
      'index.html shows nothing: all its pixels have one colour, ' +
        'and the scripts of pages are off (`scripts: true` runs them)',
    );
  });

  it('is not approved if only a script would fill it, which the reason says', async () => {
    const fill = `document.getElementById('app').innerHTML = '${text}'`;
    const content = page(`<div id="app"></div><script>${fill}</script>`);
    const off = await reviewed(content);
    expect(off.approved).toBe(false);
    expect(off.of('undecided')[0]).toMatchObject({
      reason: expect.stringContaining('`scripts: true` runs them'),
    });
    expect((await reviewed(content, { scripts: true })).approved).toBe(true);
  });

  it('is another one than a page whose text stands below the window', async () => {
    const { approved, of } = await reviewed(page(text, 'main { margin-top: 3000px }'));
    expect([approved, of('undecided')]).toEqual([true, []]);
  });
});

describeInBrowser('a criterion over pages', () => {
  it('does not pass a page that has nothing for it', async () => {
    const { of } = await reviewed(page(text));
    const skipped = of('skipped').map(({ criterion }) => criterion);
    expect(skipped).toEqual(
      expect.arrayContaining([
        'page-target-size',
        'page-focus-visible',
        'page-focus-order',
        'page-scroll-focus',
        'page-resources',
      ]),
    );
    expect(of('pass').map(({ criterion }) => criterion)).toEqual([
      'page-contrast',
      'page-reflow',
      'page-axe',
    ]);
  });
});
