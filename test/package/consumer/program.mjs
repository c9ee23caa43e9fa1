import assert from 'node:assert/strict';
import { definePipeline, isReviewError } from 'reviewloop';

const pipeline = definePipeline({
  produce: async (topic) => topic,
  address: async (text) => `# ${text}`,
  criteria: { 'has-title': (text) => text.startsWith('# ') || 'no title' },
});
const outcome = await pipeline.run('tea');
assert.equal(outcome.status, 'approved');
assert.equal(outcome.output, '# tea');
assert.equal(isReviewError(new Error('other')), false);
console.log(`import works on ${process.version}`);
