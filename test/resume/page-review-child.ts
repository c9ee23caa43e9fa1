// Reviews the page of a folder with a verdict store, and prints how many visits that took.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileVerdicts } from '@/adapters/stores/file/index.js';
import { PageWorld } from '@/blocks/criteria/page/browser/page-world.js';
import { closeIdleBrowsers, pageCriteria } from '@/blocks/criteria/page/index.js';
import { definePipeline } from '@/index.js';

const [, , folder = '', verdicts = ''] = process.argv;
const open = PageWorld.of;
let visits = 0;
PageWorld.of = (page) => {
  visits += 1;
  return open.call(PageWorld, page);
};
const path = 'index.html';
const review = definePipeline({
  produce: () => ({
    artifacts: [{ type: 'mockup', path, content: readFileSync(join(folder, path), 'utf8') }],
  }),
  reviewers: pageCriteria({ folder, timeoutMs: 100_000, screenshots: 'none' }),
  verdicts: fileVerdicts(verdicts),
});
const outcome = await review.run('a page');
console.log(`${visits} visits, ${outcome.status}, ${outcome.review?.gaps.length} gaps`);
await closeIdleBrowsers();
