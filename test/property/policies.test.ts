import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Assessment } from '@/core/assessment.js';
import type { Evidence, Policy } from '@/core/policy.js';
import type { Review } from '@/core/review.js';
import { allPass } from '@/engine/policies/all-pass.js';
import { doNoHarm } from '@/engine/policies/do-no-harm.js';
import { escalateOver } from '@/engine/policies/escalate-over.js';
import { firstOf } from '@/engine/policies/first-of.js';
import { askDisputed, holdProtected } from '@/engine/policies/guards.js';
import { noProgress } from '@/engine/policies/no-progress.js';
import { bestOf, refineOrResample } from '@/engine/policies/sampling.js';
import { severityByIteration } from '@/engine/policies/severity-by-iteration.js';
import { thresholds } from '@/engine/policies/thresholds.js';
import { levelAtLeast } from '@/products/reviewer-stage/quality-level.js';
import { err, fail, pass, reviewOf, skip } from '../unit/engine/policies/fixtures.js';

fc.configureGlobal({ seed: 22, numRuns: 400 });

const policies: Readonly<Record<string, Policy>> = {
  thresholds: thresholds(),
  'thresholds(0, 0)': thresholds({ quality: 0, completeness: 0 }),
  allPass: allPass(),
  levelAtLeast: levelAtLeast('poor'),
  severityByIteration: severityByIteration({ minorUntil: 1, majorUntil: 1 }),
  noProgress: noProgress(),
  doNoHarm: doNoHarm(thresholds({ quality: 0 }), {
    earlier: [{ attempts: 3, failing: 4, repaired: 1, passing: 9, broken: 4 }],
  }),
  bestOf: bestOf(3, thresholds({ quality: 0 })),
  refineOrResample: refineOrResample(noProgress(thresholds({ quality: 0 }), { unfixed: 1 })),
  holdProtected: holdProtected(thresholds({ quality: 0, completeness: 0 }), ['a']),
  askDisputed: askDisputed(allPass()),
  firstOf: firstOf(
    escalateOver({ critical: 1, score: 0.3 }),
    noProgress(thresholds({ quality: 0 })),
  ),
};

const score = fc.double({ min: 0, max: 1, noNaN: true });
const gap = fc.record({
  severity: fc.constantFrom('critical', 'major', 'minor'),
  autoFixable: fc.boolean(),
  standing: fc.constantFrom(undefined, 'confirmed', 'disputed', 'waived'),
});
const assessmentOf = (criterion: string): fc.Arbitrary<Assessment> =>
  fc.oneof(
    score.map((value) => pass(criterion, value)),
    fc.tuple(gap, score).map(([fields, value]) => fail(criterion, fields, value)),
    fc.constant(skip(criterion)),
    fc.constant(err(criterion)),
  );
const criteria = ['a', 'b', 'requirement:a', 'toString', 'constructor', '__proto__'];
const assessments = fc.subarray(criteria).chain((names) => fc.tuple(...names.map(assessmentOf)));
const evidence: fc.Arbitrary<Evidence> = fc
  .tuple(
    assessments,
    assessments,
    fc.array(assessments, { maxLength: 3 }),
    fc.integer({ min: 1, max: 9 }),
  )
  .map(([latest, best, earlier, iteration]) => {
    const review = reviewOf(latest);
    const history = earlier.map(
      (found): Review => ({
        ...reviewOf(found),
        decision: { kind: 'stop', status: 'exhausted', code: '', reason: '' },
      }),
    );
    return {
      iteration,
      review,
      best:
        (review.scores.overall ?? -1) >= (reviewOf(best).scores.overall ?? -1)
          ? review
          : reviewOf(best),
      history,
      spent: {},
    };
  });

describe.each(Object.entries(policies))('%s', (_, policy) => {
  it('approves nothing in which a judge failed, or nothing was judged', () => {
    fc.assert(
      fc.property(evidence, (given) => {
        const verdicts = given.review.assessments.map(({ verdict }) => verdict);
        const judged =
          verdicts.some((verdict) => verdict === 'pass' || verdict === 'fail') &&
          !verdicts.includes('errored');
        if (!judged) expect(policy(given)?.kind).not.toBe('approve');
      }),
    );
  });

  it('never revises for nothing, and hands over only open gaps that the producer can fix', () => {
    fc.assert(
      fc.property(evidence, (given) => {
        const decision = policy(given);
        if (decision?.kind !== 'revise') return;
        expect(decision.blocking.length).toBeGreaterThan(0);
        for (const { autoFixable, standing } of decision.blocking)
          expect(autoFixable && standing !== 'disputed' && standing !== 'waived').toBe(true);
      }),
    );
  });

  it('is pure: the same evidence gets the same decision, and stays as it is', () => {
    fc.assert(
      fc.property(evidence, (given) => {
        const before = structuredClone(given.review.gaps);
        expect(policy(given)).toEqual(policy(given));
        expect(given.review.gaps).toEqual(before);
      }),
    );
  });
});
