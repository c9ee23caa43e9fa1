// Judges a page in a browser: to its end, or for ever.
import { pageCriteria } from '@/blocks/criteria/page/index.js';

const [, , body = ''] = process.argv;
const criteria = pageCriteria({ scripts: true, timeoutMs: 100_000, screenshots: 'none' });
const output = {
  artifacts: [
    { type: 'mockup', path: 'index.html', content: `<!DOCTYPE html><title>A</title>${body}` },
  ],
};
const answers = Promise.all(
  criteria.map((criterion) => criterion.validate(output, undefined, { previous: [] })),
);
console.log('started');
console.log(`${(await answers).length} answers`);
