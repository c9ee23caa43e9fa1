import { describe, expect, it } from 'vitest';
import { fileStore } from '@/adapters/stores/file/index.js';
import { criterion, definePipeline, type Outcome, type PipelineOptions } from '@/index.js';
import { tempFolder } from '../support/temp-folder.js';

/** The review of an outcome is the one of its version, and there is none where that version was not reviewed. */
function reviewsItsVersion(outcome: Outcome<unknown>): void {
  const reviewed = outcome.reviews.filter(({ version }) => version === outcome.version);
  expect(reviewed.length, 'a version was reviewed twice').toBeLessThanOrEqual(1);
  expect(outcome.review, 'the review is of another version').toBe(reviewed[0]);
}

type Options = PipelineOptions<string, string>;

/** The second version is worse than the first, which comes back. */
const worsening: Options = {
  produce: async () => 'good',
  address: async () => 'bad',
  criteria: {
    long: () => 'too long',
    kind: (text) => text === 'good' || 'unkind',
  },
  budget: { reviews: 2 },
};

const asking: Options = {
  produce: async () => 'fine',
  criteria: { ok: () => true },
  human: { policy: 'require' },
};

const asked = criterion<string, string>('person', () => true);
const askingMidReview: Options = {
  produce: async () => 'fine',
  reviewers: [
    {
      ...asked,
      review: async (_, context) => {
        const request = { question: 'well?', gaps: [] };
        await context.ask('well', { ...request, allowed: ['approve'] });
        return [{ verdict: 'pass', criterion: 'person', score: 1, explanation: '', gaps: [] }];
      },
    },
  ],
};

describe('the review of an outcome is the one of the version that came back', () => {
  it('holds for the engine: approved, and with an earlier version than the last [R2-055]', async () => {
    const approved = await definePipeline<string, string>({
      produce: async () => 'fine',
      criteria: { ok: () => true },
    }).run('task');
    reviewsItsVersion(approved);
    expect(approved.review?.decision.kind).toBe('approve');
    const worse = await definePipeline(worsening).run('task');
    reviewsItsVersion(worse);
    expect(worse).toMatchObject({ status: 'exhausted', output: 'good', review: { iteration: 1 } });
    expect(worse.reviews).toHaveLength(2);
  });

  it('holds for runs that are answered, resumed, overridden or read from a store', async () => {
    const folder = tempFolder('outcome');
    const store = fileStore(folder);
    const runId = 'answered';
    const suspended = await definePipeline({ ...asking, store }).run('task', { runId });
    reviewsItsVersion(suspended);
    expect(suspended.review?.version).toBe(suspended.version);
    if (suspended.status !== 'suspended') throw new Error('a question was expected');
    const later = definePipeline({ ...asking, store: fileStore(folder) });
    reviewsItsVersion(await later.answer(suspended.requests[0], { kind: 'approve', by: 'ann' }));
    const saved = await later.run('task', { runId });
    reviewsItsVersion(saved);
    expect(saved).toMatchObject({ status: 'approved', review: { iteration: 1 } });
    const pipeline = definePipeline({ ...worsening, store });
    const stopped = await pipeline.run('task', { runId: 'overridden' });
    const digest = stopped.version ?? '';
    const overridden = await pipeline.override(
      { runId: 'overridden', digest },
      { by: 'ann', reason: 'good enough' },
    );
    reviewsItsVersion(overridden);
    expect(overridden).toMatchObject({ status: 'accepted', review: { iteration: 1 } });
  });

  it('holds where nothing was reviewed to the end: there is none', async () => {
    const suspended = await definePipeline(askingMidReview).run('task');
    reviewsItsVersion(suspended);
    expect(suspended).toMatchObject({ status: 'suspended' });
    expect('review' in suspended).toBe(false);
    const failed = await definePipeline<string, string>({
      produce: () => Promise.reject(new Error('no')),
      criteria: { ok: () => true },
    }).run('task');
    reviewsItsVersion(failed);
    expect('review' in failed).toBe(false);
  });

  it('is broken by an outcome that has the last review', async () => {
    const worse = await definePipeline(worsening).run('task');
    const last = worse.reviews.at(-1);
    expect(() => reviewsItsVersion({ ...worse, ...(last && { review: last }) })).toThrow(
      'the review is of another version',
    );
  });
});
