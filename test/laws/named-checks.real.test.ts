import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Assessment } from '@/core/assessment.js';
import type { Evidence, Policy } from '@/core/policy.js';
import { bestOf } from '@/engine/policies/sampling.js';
import { allPass, noProgress, severityByIteration, thresholds } from '@/index.js';
import { gitDiff } from '@/node/git/git-diff.js';
import { levelAtLeast } from '@/products/reviewer-stage/quality-level.js';
import { TaskReview } from '@/products/task-review/index.js';
import { fail, pass, reviewOf, skip } from '../unit/engine/policies/fixtures.js';
import { checks, project, reader, task } from '../unit/products/task-review/support.js';

/** Whether a reason says that a check passed, beside words that take it back. */
function claims(reason: string, check: string): boolean {
  const [said = ''] = reason.split(/ passed/);
  return / passed/.test(reason) && said.split(/, | and /).includes(check);
}

const names = ['tests', 'lint', 'review'] as const;
type Setup = Readonly<Record<(typeof names)[number], boolean>>;
const setups: readonly Setup[] = [0, 1, 2, 3, 4, 5, 6, 7].map((bits) => ({
  tests: (bits & 1) > 0,
  lint: (bits & 2) > 0,
  review: (bits & 4) > 0,
}));

/** Does a task with some checks. Returns every reason that anybody reads. */
async function reasonsOf({ tests, lint, review }: Setup): Promise<string[]> {
  const repository = project();
  const own = checks(repository.cwd);
  const result = await new TaskReview({
    diff: gitDiff({ cwd: repository.cwd }),
    execute: async () => repository.write('api.js', 'exports.value = 1;\n'),
    ...(tests && { tests: own.tests }),
    ...(lint && { lint: own.lint }),
    ...(review
      ? { provider: reader(() => ({ verdict: 'passed', reason: 'fine' })) }
      : { review: false }),
  }).run(task);
  expect(result.success, result.run.reason).toBe(true);
  return [
    result.run.reason,
    ...result.run.reviews.map(({ decision }) => decision.reason),
    result.reviewFindings ?? '',
  ];
}

/** A reason text names only checks that ran, and each of them. */
async function namesWhatRan(reasons: (setup: Setup) => Promise<string[]>): Promise<void> {
  for (const setup of setups) {
    const texts = await reasons(setup);
    for (const name of names)
      for (const text of texts)
        if (!setup[name])
          expect(claims(text, name), `'${text}' names ${name}, which did not run`).toBe(false);
    for (const name of names)
      if (setup[name])
        expect(claims(texts[0] ?? '', name), `'${texts[0]}' does not name ${name}`).toBe(true);
  }
}

describe('the reason of an approval names only checks that ran', () => {
  it('in each arrangement of a task [R2-003]', () => namesWhatRan(reasonsOf));

  it('is broken by a reason that is always the same', async () => {
    await expect(namesWhatRan(async () => ['tests, lint and review passed'])).rejects.toThrow(
      'which did not run',
    );
  });

  const policies: Readonly<Record<string, Policy>> = {
    thresholds: thresholds({ quality: 0, completeness: 0 }),
    allPass: allPass(),
    levelAtLeast: levelAtLeast('poor'),
    severityByIteration: severityByIteration({ minorUntil: 1, majorUntil: 1 }),
    noProgress: noProgress(thresholds({ quality: 0 })),
    bestOf: bestOf(1, thresholds({ quality: 0 })),
  };

  /** A reason that speaks of every criterion stands beside verdicts of every criterion. */
  function claimsNoMore(policy: Policy): void {
    const verdict = (name: string): fc.Arbitrary<Assessment> =>
      fc.constantFrom(pass(name), skip(name), fail(name, { severity: 'minor' }, 0.9));
    const all = fc.tuple(...['a', 'b', 'c'].map(verdict));
    fc.assert(
      fc.property(all, (assessments) => {
        const review = reviewOf(assessments);
        const evidence: Evidence = { iteration: 1, review, best: review, history: [], spent: {} };
        const decision = policy(evidence);
        if (decision?.kind !== 'approve') return;
        const silent = assessments.filter((one) => one.verdict === 'skipped');
        const { reason } = decision;
        for (const { criterion } of silent)
          expect(reason, 'names a check that did not run').not.toMatch(
            new RegExp(`\\b${criterion}\\b`),
          );
        if (silent.length > 0)
          expect(reason, 'speaks of all').not.toMatch(/\b(?:every|each|all) (?:criteri|check)/);
      }),
      { numRuns: 60 },
    );
  }

  it.each(Object.entries(policies))('under the policy %s [R2-009]', (_, policy) => {
    claimsNoMore(policy);
  });

  it('is broken by a policy that speaks of every criterion', () => {
    expect(() =>
      claimsNoMore(() => ({ kind: 'approve', reason: 'every criterion is good or better' })),
    ).toThrow(
      expect.objectContaining({
        cause: expect.objectContaining({ message: expect.stringContaining('speaks of all') }),
      }),
    );
  });
});
