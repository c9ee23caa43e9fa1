const assert = require('node:assert/strict');
const { definePipeline } = require('reviewloop');

const pipeline = definePipeline({
  produce: async (topic) => topic,
  address: async (text) => `# ${text}`,
  criteria: { 'has-title': (text) => text.startsWith('# ') || 'no title' },
});
void pipeline.run('tea').then((outcome) => {
  assert.equal(outcome.status, 'approved');
  assert.equal(outcome.output, '# tea');
  console.log(`require works on ${process.version}`);
});
