/**
 * Reviews a page as Chromium shows it: its criteria find text with too little contrast, and parts
 * that are too wide. Needs `playwright-core`, `axe-core` and a Chromium.
 */
import { type Artifacts, definePipeline } from 'reviewloop';
import { htmlCriteria } from 'reviewloop/criteria';
import { closeIdleBrowsers, pageCriteria } from 'reviewloop/criteria/page';

const pageOf = (style: string): Artifacts => ({
  artifacts: [
    {
      type: 'mockup',
      path: 'index.html',
      content: `<!DOCTYPE html>
<html lang="en">
<head><title>Bakery</title><meta name="viewport" content="width=device-width, initial-scale=1">
<style>${style}</style></head>
<body><main><h1>Bakery</h1><p>Bread, every morning.</p>
<div class="menu">Rolls, cakes and pies</div><button type="button">Order</button></main></body>
</html>
`,
    },
  ],
});

const first = 'h1 { color: blue } p { color: #aaa } .menu { width: 600px }';
const second = 'h1 { color: green } p { color: #444 } .menu { max-width: 600px }';

const source = htmlCriteria({ language: 'en' });
const pages = definePipeline({
  produce: async (_task: string) => pageOf(first),
  reviewers: [...source, ...pageCriteria({ reportedBy: source, timeoutMs: 60_000 })],
  address: async (_output, gaps) => {
    for (const { description, location } of gaps)
      console.log(`gap at line ${location?.line ?? '-'}: ${description}`);
    return pageOf(second);
  },
});

try {
  const outcome = await pages.run('a page for a bakery');
  console.log(`${outcome.status} after ${outcome.reviews.length} reviews`);
} finally {
  await closeIdleBrowsers();
}
