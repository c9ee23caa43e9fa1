// A scorer of Mastra as a criterion of a pipeline.
import { createScorer, notScorable } from '@mastra/core/evals';
import { definePipeline } from 'reviewloop';
import { fromScorer } from 'reviewloop/reviewers';

const refunds = createScorer<string, string>({
  id: 'refunds',
  description: 'Says how long a refund takes',
})
  .preprocess(({ run }) =>
    run.output.includes('refund') ? { text: run.output } : notScorable('no refund is promised'),
  )
  .generateScore(({ run }) => (/\d+ days/.test(run.output) ? 1 : 0.2))
  .generateReason(({ score }) => (score === 1 ? 'the days are named' : 'the days are missing'));

const replies = definePipeline({
  produce: async (_question: string) => 'You get a refund.',
  address: async () => 'You get a refund within 5 days.',
  criteria: { polite: (text) => text.startsWith('You') || 'begins without the customer' },
  reviewers: [fromScorer(refunds, { id: 'refunds', threshold: 0.8, version: 'refunds-1' })],
});

const outcome = await replies.run('Where is my money?');
console.log(outcome.status, outcome.output);
for (const { assessments } of outcome.reviews)
  console.log(assessments.map(({ criterion, verdict }) => `${criterion}: ${verdict}`).join(', '));
const { assessments } = await replies.review('Where is my money?', 'You paid nothing.');
for (const assessment of assessments)
  if (assessment.verdict === 'skipped') console.log('skipped:', assessment.reason);
