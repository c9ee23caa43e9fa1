import { expect, it } from 'vitest';
import type { Outcome } from '../../../src/index.js';
import { annotated } from '../../../src/self-review/annotate-output.js';
import type { SelfReviewResult } from '../../../src/self-review/self-review-result.js';

it('an output whose version was not reviewed gets the review of no other version', () => {
  const output = { result: 'tides', artifacts: [{ type: 'document', path: 'a.md', content: 'a' }] };
  const reviews = [{ overallScore: 1 }] as unknown as SelfReviewResult[];
  const outcome = {
    status: 'exhausted',
    approved: false,
    reason: 'the time is over',
    review: undefined,
    reviews: [{ version: 'another' }],
  } as unknown as Outcome<typeof output>;
  const copy = annotated(output, outcome, reviews, 3);
  expect(copy).not.toHaveProperty('selfReviewResult');
  expect(copy).not.toHaveProperty('qualityScore');
  expect(copy).toMatchObject({ ...output, routingHints: { needsApproval: true } });
});
