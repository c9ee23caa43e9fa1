import { expect, it } from 'vitest';
import { agentRequest, SelfReviewLoop, textOutput } from '../../../src/index.js';

it('a run whose review is switched off accepts its first version, and says who decided that', async () => {
  const request = agentRequest({ id: 't', description: 'a poem', acceptanceCriteria: ['tea'] });
  const make = async () => textOutput('coffee');
  const { outcome } = await new SelfReviewLoop([], { enabled: false }).execute(request, make, make);
  const reason = expect.stringContaining('off');
  expect(outcome).toMatchObject({
    status: 'accepted',
    approved: false,
    code: 'not_reviewed',
    reason,
    reviews: [],
    acceptance: { kind: 'not_reviewed', by: 'configuration', reason },
  });
});
