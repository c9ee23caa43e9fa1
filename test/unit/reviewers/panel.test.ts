import { describe, expect, it } from 'vitest';
import {
  type Assessment,
  definePipeline,
  isJudged,
  type LLMProvider,
  llmCriterion,
  panel,
  type Reviewer,
} from '../../../src/index.js';
import type { PanelOptions } from '../../../src/reviewers/index.js';
import { effectiveVotes } from '../../../src/reviewers/votes.js';
import { fakeReviewerContext, scriptedProvider } from '../../../src/testing/index.js';
import { checklistJudge } from '../../support/checklist-judge.js';

const strict = (id = 'strict') =>
  checklistJudge([{ question: /explain/, found: /oolong/, reason: 'oolong is not explained' }], {
    id,
  });
const blind = (id = 'blind') => checklistJudge([], { id });
const broken = (id = 'broken') => scriptedProvider(() => new Error('outage'), { id });
const clear = (provider?: LLMProvider, more: object = {}) =>
  llmCriterion<string, string>({
    id: 'clear',
    question: 'Does it explain every term?',
    provider,
    ...more,
  });
const scoring = (...scores: readonly number[]): Reviewer<string, string> => {
  let call = 0;
  return {
    id: 'scoring',
    version: '1',
    tier: 'model',
    review: async () => {
      const score = scores[Math.min(call++, scores.length - 1)] ?? 0;
      return [
        {
          verdict: score >= 0.5 ? 'pass' : 'fail',
          criterion: 's',
          score,
          explanation: `scores ${score}`,
          gaps: [],
        },
      ];
    },
  };
};

async function sat(
  providers: readonly LLMProvider[],
  options: PanelOptions = {},
  output = 'oolong is best',
): Promise<Assessment> {
  const reviewer = panel(
    providers.map((provider) => clear(provider)),
    options,
  );
  return (
    await definePipeline<string, string>({ reviewers: [reviewer], retries: 0 }).review(
      'tea',
      output,
    )
  ).assessments[0]!;
}

describe('panel', () => {
  it('goes with the majority, and tells votes, agreement and what they are worth', async () => {
    expect(await sat([blind('a'), blind('b'), strict('c')])).toMatchObject({
      verdict: 'pass',
      criterion: 'clear',
      votes: { pass: 2, fail: 1, failed: 0, agreement: 1 / 3, effective: 1.6 },
      explanation:
        '2 of 3 votes pass; agreement 0.33, worth about 1.6 independent votes (assumed, not measured). clear: oolong is not explained',
    });
    const failed = await sat([strict('a'), strict('b'), blind('c')]);
    expect(failed).toMatchObject({ verdict: 'fail', votes: { pass: 1, fail: 2 } });
    expect(isJudged(failed) && failed.gaps).toHaveLength(1);
  });

  it('fails by one veto where a veto is given', async () => {
    expect(await sat([blind('a'), blind('b'), strict('c')], { veto: 1 })).toMatchObject({
      verdict: 'fail',
      votes: { pass: 2, fail: 1 },
    });
  });

  it('never passes an even split', async () => {
    expect((await sat([blind('a'), strict('b')])).verdict).toBe('fail');
    expect(await sat([blind('a'), strict('b')], { tie: 'errored' })).toMatchObject({
      verdict: 'errored',
      error: { code: 'quorum_missed', message: expect.stringContaining('split 1 to 1') as string },
    });
  });

  it('has failed under quorum, and goes on with a judge less above it', async () => {
    expect(await sat([blind('a'), broken('b'), broken('c')])).toMatchObject({
      verdict: 'errored',
      error: {
        code: 'quorum_missed',
        message: expect.stringContaining('1 of 3 judges voted, and the quorum is 2') as string,
      },
    });
    expect(await sat([blind('a'), blind('b'), broken('c')])).toMatchObject({
      verdict: 'pass',
      votes: { pass: 2, failed: 1 },
    });
    expect(await sat([blind('a'), blind('b'), broken('c')], { quorum: 3 })).toMatchObject({
      verdict: 'errored',
    });
  });

  it('lets only what several found be edited, where it is asked to', async () => {
    const gaps = async (providers: readonly LLMProvider[]) => {
      const assessment = await sat(providers, { toEdit: 2, veto: 1 });
      return isJudged(assessment) ? assessment.gaps.map(({ standing }) => standing) : [];
    };
    expect(await gaps([strict('a'), strict('b'), blind('c')])).toEqual(['confirmed']);
    expect(await gaps([strict('a'), blind('b'), blind('c')])).toEqual(['disputed']);
    expect(panel([clear(blind())], { toEdit: 2 }).checksFindings).toBe(true);
  });

  it('asks again near the bar only, and while it is a tie', async () => {
    const asked = async (scores: readonly number[], rounds = 1) => {
      const reviewer = panel([scoring(...scores)], {
        borderline: { bar: 0.7, within: 0.1, rounds },
      });
      const [assessment] = (
        await definePipeline<string, string>({ reviewers: [reviewer] }).review('t', 'o')
      ).assessments;
      return assessment !== undefined && isJudged(assessment) ? assessment.votes : undefined;
    };
    expect(await asked([1])).toMatchObject({ pass: 1, fail: 0, effective: 1 });
    expect(await asked([0.75, 0.65])).toMatchObject({ pass: 2 });
    expect(await asked([0.7, 0.4, 0.6], 3)).toMatchObject({ pass: 2, fail: 1 });
  });

  it('gives each member its own part, its own steps and, in a round more, a new start', async () => {
    const names: string[] = [];
    const context = fakeReviewerContext({
      step: async (name, { schema }, work) => {
        names.push(name);
        return schema.parse(
          await work({ key: name, attempt: 1, signal: new AbortController().signal }),
        );
      },
    });
    const reviewer = panel([clear(blind('a')), clear(strict('b'))], {
      borderline: { bar: 0.5, within: 0.1 },
    });
    await reviewer.review({ task: 'tea', output: 'oolong', iteration: 1 }, context);
    expect(names).toEqual([
      'member1/verdicts',
      'member2/verdicts',
      'member1:again1/verdicts',
      'member2:again1/verdicts',
    ]);
    const scoped = panel([
      llmCriterion<{ a: string; b: string }, string>({
        id: 'x',
        question: 'Does it explain?',
        provider: strict(),
        scope: ({ a }) => a,
      }),
    ]);
    const review = await definePipeline<string, { a: string; b: string }>({
      reviewers: [scoped],
    }).review('tea', { a: 'tea', b: 'oolong' });
    expect(review.assessments[0]?.verdict).toBe('pass');
  });

  it('passes the provider of the pipeline on to members that lack one', async () => {
    const [inherited, own] = [blind('inherited'), strict('own')];
    await definePipeline<string, string>({
      reviewers: [panel([clear(), clear(own)])],
      provider: inherited,
    }).review('tea', 'oolong');
    expect([inherited.requests.length, own.requests.length]).toEqual([1, 1]);
  });

  it('knows what votes are worth: nine judges about two', () => {
    const vote = (member: number, id: string) => ({
      member,
      passed: true,
      score: 1,
      provider: blind(id),
    });
    expect(effectiveVotes([], 0.44)).toBe(0);
    expect(
      effectiveVotes(
        Array.from({ length: 9 }, (_, index) => vote(index, `judge-${index}`)),
        0.44,
      ),
    ).toBe(1.99);
    expect(effectiveVotes([vote(0, 'same'), vote(1, 'same'), vote(2, 'same')], 0.44)).toBe(1.17);
    expect(effectiveVotes([vote(0, 'a'), vote(1, 'b')], 0)).toBe(2);
  });

  it('refuses what it cannot do', () => {
    expect(() => panel([])).toThrow('non-empty list');
    expect(() => panel([clear()], { quorum: 2 })).toThrow('at most 1');
    expect(() => panel([clear()], { quorum: 0 })).toThrow('quorum');
    expect(() => panel([clear()], { tie: 'pass' as 'fail' })).toThrow('tie');
    expect(() => panel([clear()], { id: ' ' })).toThrow('id');
    expect(() => panel([clear()], { borderline: { bar: 2, within: 1 } })).toThrow('borderline.bar');
    expect(() => panel([clear()], { voters: 1 } as object)).toThrow('panel has no option `voters`');
  });
});
