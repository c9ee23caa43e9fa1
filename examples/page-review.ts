/**
 * Reviews a page as Chromium shows it: its criteria find text with too little contrast, and its
 * checks decide requirements of the task without a model. Needs `playwright-core`, `axe-core` and a
 * Chromium.
 */
import { type Artifacts, definePipeline, requirementCoverage } from 'reviewloop';
import { htmlCriteria } from 'reviewloop/criteria/html';
import { closeIdleBrowsers, pageCriteria, pageDeciders } from 'reviewloop/criteria/page';

const task = `The heading must be green.
The "Order" button must be visible without scrolling.
The page must not scroll horizontally on small screens.`;

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
  reviewers: [
    ...source,
    ...pageCriteria({ reportedBy: source, timeoutMs: 60_000 }),
    requirementCoverage<Artifacts, string>({
      extractRequirements: async (text) => text.split('\n'),
      checkRequirementCovered: async (requirement) => ({
        requirement,
        source: 'explicit',
        covered: false,
        confidence: 0,
        coverageDetails: 'no check decides it',
      }),
      deciders: pageDeciders({ timeoutMs: 60_000 }),
      words: 'hint',
    }),
  ],
  address: async (_output, gaps) => {
    for (const { description, location } of gaps)
      console.log(`gap at line ${location?.line ?? '-'}: ${description}`);
    return pageOf(second);
  },
});

try {
  const outcome = await pages.run(task);
  console.log(`${outcome.status} after ${outcome.reviews.length} reviews`);
} finally {
  await closeIdleBrowsers();
}
