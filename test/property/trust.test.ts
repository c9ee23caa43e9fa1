import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { autonomous, fast, guarded } from '@/blocks/pipeline/trust-presets.js';
import { checkedAnswer } from '@/core/reviewer-answer.js';
import {
  type Assessment,
  definePipeline,
  isJudged,
  keepBest,
  panel,
  type Reviewer,
  type Trust,
  verified,
} from '@/index.js';
import { fakeReviewerContext } from '@/testing/index.js';
import { err, fail, pass, reviewOf, skip } from '../unit/engine/policies/fixtures.js';

fc.configureGlobal({ seed: 29, numRuns: 200 });

type Saying = 'pass' | 'fail' | 'skip' | 'error' | 'throw';
const saying = fc.constantFrom<Saying>('pass', 'fail', 'skip', 'error', 'throw');

/** A judge that says prepared things, one after the other. */
function judge(id: string, says: readonly Saying[]): Reviewer<unknown, unknown> {
  let call = 0;
  return {
    id,
    version: '1',
    tier: 'model',
    review: async () => {
      const now = says[Math.min(call++, says.length - 1)];
      if (now === 'throw') throw new Error('outage');
      return [
        now === 'pass'
          ? pass(id)
          : now === 'fail'
            ? fail(id, { id: '', criterionId: id })
            : now === 'skip'
              ? skip(id)
              : err(id),
      ];
    },
  };
}

const subject = { task: 't', output: 'some text', iteration: 1 };
const assessmentsOf = async (
  reviewer: Reviewer<unknown, unknown>,
): Promise<readonly Assessment[]> =>
  checkedAnswer(reviewer.id, await reviewer.review(subject, fakeReviewerContext())).assessments;

it('a panel never passes under quorum, nor with as many fails as passes, nor over a veto', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(saying, { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 1, max: 6 }),
      fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
      fc.constantFrom('fail' as const, 'errored' as const),
      async (said, want, veto, tie) => {
        const quorum = Math.min(want, said.length);
        const [assessment] = await assessmentsOf(
          panel(
            said.map((one, index) => judge(`j${index}`, [one])),
            { id: 'p', quorum, tie, veto },
          ),
        );
        const [passes, fails] = [
          said.filter((one) => one === 'pass').length,
          said.filter((one) => one === 'fail').length,
        ];
        if (passes + fails < quorum) expect(assessment?.verdict).toBe('errored');
        if (assessment?.verdict === 'pass')
          expect(
            passes > fails && passes + fails >= quorum && (veto === undefined || fails < veto),
          ).toBe(true);
        if (assessment !== undefined && isJudged(assessment))
          expect(assessment.votes).toMatchObject({
            pass: passes,
            fail: fails,
            failed: said.length - passes - fails,
          });
      },
    ),
  );
});

it('verified confirms only what more than half of the opinions contain, and edits nothing else', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(saying, { minLength: 1, maxLength: 7 }),
      fc.integer({ min: 1, max: 7 }),
      fc.boolean(),
      async (said, opinions, invented) => {
        const inner = judge('j', said);
        const quoting: Reviewer<unknown, unknown> = {
          ...inner,
          review: async (given, context) => {
            const found = checkedAnswer('j', await inner.review(given, context)).assessments;
            return found.map((one) =>
              isJudged(one)
                ? {
                    ...one,
                    gaps: one.gaps.map((gap) => ({
                      ...gap,
                      evidence: invented ? 'not there' : 'some text',
                    })),
                  }
                : one,
            );
          },
        };
        const outcome = await definePipeline<unknown, unknown>({
          reviewers: [verified(quoting, { opinions })],
          retries: 0,
        }).review('t', 'some text');
        const sayingOf = (index: number) => said[Math.min(index, said.length - 1)];
        const agreeing = Array.from({ length: opinions }, (_, index) => sayingOf(index)).filter(
          (one) => one === 'fail',
        ).length;
        const handed = outcome.decision.kind === 'revise' ? outcome.decision.blocking : [];
        for (const gap of handed) {
          expect(gap.standing).toBe('confirmed');
          expect(invented).toBe(false);
          expect(agreeing).toBeGreaterThan(Math.floor(opinions / 2));
        }
        if (sayingOf(0) === 'fail') expect(outcome.decision.kind).not.toBe('approve');
      },
    ),
  );
});

it('presets approve nothing when judges fail, whatever else is said', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom<Trust>(fast, guarded, autonomous),
      fc.array(fc.constantFrom<Saying>('error', 'throw'), { minLength: 1, maxLength: 4 }),
      fc.boolean(),
      async (trust, failures, alsoConfirm) => {
        const failing = judge('m', alsoConfirm ? ['pass'] : failures);
        const confirming: Reviewer<unknown, unknown> = {
          ...judge('c', failures),
          tier: 'confirm',
        };
        const outcome = await definePipeline<unknown, unknown>({
          produce: async () => 'text',
          address: async () => 'other',
          criteria: { code: () => true },
          reviewers: [failing, confirming],
          trust,
        }).run('t');
        expect(outcome.approved).toBe(false);
        expect(outcome.status).toBe('inconclusive');
      },
    ),
    { numRuns: 60 },
  );
});

describe('protected criteria', () => {
  const ids = ['a', 'b', 'c', 'd'];
  const version = fc.tuple(
    ...ids.map((id) =>
      fc.oneof(
        fc.constant(pass(id)),
        fc.double({ min: 0, max: 1, noNaN: true }).map((score) => fail(id, {}, score)),
        fc.constant(skip(id)),
        fc.constant(err(id)),
      ),
    ),
  );

  it('never turn from pass in what keepBest keeps', () => {
    fc.assert(
      fc.property(
        fc.array(version, { minLength: 2, maxLength: 8 }),
        fc.subarray(ids),
        (versions, protect) => {
          const ranking = keepBest({ protect });
          let best = reviewOf(versions[0] ?? []);
          for (const next of versions.slice(1).map((assessments) => reviewOf(assessments))) {
            const passing = best.assessments
              .filter(({ verdict, criterion }) => verdict === 'pass' && protect.includes(criterion))
              .map(({ criterion }) => criterion);
            if (ranking(next, best)) best = next;
            expect(
              best.assessments
                .filter(({ verdict }) => verdict === 'pass')
                .map(({ criterion }) => criterion),
            ).toEqual(expect.arrayContaining(passing));
          }
        },
      ),
    );
  });

  it('never turn from pass in what a guarded or autonomous run returns', async () => {
    const checks = fc.array(fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()), {
      minLength: 2,
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom<Trust>(guarded, autonomous),
        checks,
        async (trust, versions) => {
          let made = 0;
          const at = (output: string): readonly boolean[] =>
            versions[Number(output) % versions.length] ?? [];
          const outcome = await definePipeline<string, string>({
            produce: async () => '0',
            address: async () => String(++made),
            criteria: Object.fromEntries(
              [0, 1, 2].map((index) => [
                `c${index}`,
                {
                  check: (output: string) => at(output)[index] === true,
                  severity: 'minor' as const,
                },
              ]),
            ),
            trust,
          }).run('t');
          const first = at('0');
          for (const [index, held] of first.entries())
            if (held) expect(at(outcome.output ?? '0')[index]).toBe(true);
        },
      ),
      { numRuns: 100 },
    );
  });
});
