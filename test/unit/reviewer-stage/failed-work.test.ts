import { expect, it } from 'vitest';
import { ReviewerStage } from '../../../src/reviewer-stage/reviewer-stage.js';
import { scriptedProvider } from '../../../src/testing/index.js';
import { work } from './support.js';

const broken = {
  ...work,
  verificationResults: [{ name: 'false', passed: false, details: 'exit 1' }],
};

/** Reviews work whose verification failed; returns how often the model was asked. */
async function callsFor(failedWork?: 'skip' | 'assess') {
  let calls = 0;
  const provider = scriptedProvider(() => {
    calls += 1;
    return '{}';
  });
  const stage = new ReviewerStage({ provider, failedWork });
  const { decision } = await stage.review(broken);
  return { calls, decision };
}

it('no model is asked about work whose verification failed, unless it is wanted [R2-053]', async () => {
  expect(await callsFor()).toEqual({ calls: 0, decision: 'REJECTED' });
  expect((await callsFor('assess')).calls).toBeGreaterThan(0);
});

it('an unknown way to treat failed work is refused', () => {
  expect(() => new ReviewerStage({ failedWork: 'ask' as never })).toThrow(/'skip' or 'assess'/);
});
