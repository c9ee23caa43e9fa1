import { describe, expect, it } from 'vitest';
import { inTurn } from '@/blocks/reviewers/in-turn.js';
import {
  definePipeline,
  type LLMProvider,
  llmCriterion,
  type Reviewer,
  type ReviewerAnswer,
} from '@/index.js';
import { type ScriptedProvider, scriptedJudge } from '@/testing/index.js';
import type { JudgedCall } from '@/testing/scripted-judge.js';

/** How a reviewer asks several judges about its text. */
type Arrangement = (
  reviewer: Reviewer<string, string>,
  providers: readonly LLMProvider[],
) => Reviewer<string, string>;

const turns: Arrangement = (reviewer, providers) =>
  inTurn(reviewer, { providers, passes: { first: 3, edited: 4 }, tries: 2 });

const clear = llmCriterion<string, string>({ id: 'clear', question: 'Is it clear?' });
const says = (id: string, answer: JudgedCall) => scriptedJudge({ clear: answer }, { id });
const calls = (judges: readonly ScriptedProvider[]): number =>
  judges.reduce((sum, { requests }) => sum + requests.length, 0);

/** Law: a verdict holds while its text is equal. An edited text is judged anew, with more passes. */
async function judgesEditsAnew(arrange: Arrangement): Promise<void> {
  const judges = ['a', 'b', 'c', 'd'].map((id) => says(id, 'yes'));
  const versions = ['one', 'two', 'two and a half'];
  const outcome = await definePipeline<string, string>({
    produce: () => versions.shift() ?? '',
    address: () => versions.shift() ?? '',
    criteria: { long: { check: (text) => text.length > 9, severity: 'minor' } },
    reviewers: [arrange(clear, judges)],
    policy: ({ review }) =>
      review.gaps[0] === undefined
        ? { kind: 'approve', reason: 'nothing is open' }
        : { kind: 'revise', reason: 'too short', from: 'latest', blocking: [review.gaps[0]] },
    failFast: false,
  }).run('write');
  expect(outcome.status).toBe('approved');
  expect(calls(judges), 'a verdict was kept over an edit').toBe(3 + 4 + 4);
}

/** Law: a judge that gives no answer casts no vote, and without its vote nothing passes. */
async function countsAnswersOnly(arrange: Arrangement): Promise<void> {
  const down = says('b', new Error('overloaded'));
  const review = await definePipeline<string, string>({
    reviewers: [arrange(clear, [says('a', 'yes'), down, says('c', 'yes')])],
    retries: 0,
  }).review('write', 'a text');
  expect(review.assessments[0]?.verdict, 'a failure was counted as a pass').toBe('errored');
  expect(review.decision.kind).not.toBe('approve');
}

/** Law: one failure of any judge blocks, whatever the others say. */
async function oneFailureBlocks(arrange: Arrangement): Promise<void> {
  for (let critic = 0; critic < 3; critic += 1) {
    const judges = ['a', 'b', 'c'].map((id, index) => says(id, index === critic ? 'no' : 'yes'));
    const review = await definePipeline<string, string>({
      reviewers: [arrange(clear, judges)],
    }).review('write', 'a text');
    expect(review.assessments[0]?.verdict, 'a failure was outvoted').toBe('fail');
  }
}

/** Law: passes count only from judges that were asked, each in its turn. */
async function allTakeTurns(arrange: Arrangement): Promise<void> {
  const judges = ['a', 'b', 'c'].map((id) => says(id, 'yes'));
  await definePipeline<string, string>({ reviewers: [arrange(clear, judges)] }).review('w', 'a');
  expect(
    judges.map(({ requests }) => requests.length),
    'one judge took all turns',
  ).toEqual([1, 1, 1]);
}

/** Law: passes count from different judges only: a second call of one judge is no second judge. */
async function countsNoJudgeTwice(arrange: Arrangement): Promise<void> {
  const twice = [says('a', 'yes'), says('a', 'yes'), says('a', 'yes')];
  const critic = says('b', 'no');
  const { assessments } = await definePipeline<string, string>({
    reviewers: [arrange(clear, [...twice, critic])],
  }).review('write', 'a text');
  expect(assessments[0]?.verdict, 'a judge was counted twice').toBe('fail');
  expect(calls(twice), 'a judge was asked twice').toBe(1);
}

describe('judges in turn', () => {
  it('judge an edited text anew', () => judgesEditsAnew(turns));

  it('saboteur: a verdict that is kept over an edit breaks the law', async () => {
    const keeping: Arrangement = (reviewer, providers) => {
      const inner = turns(reviewer, providers);
      let kept: ReviewerAnswer | undefined;
      return {
        ...inner,
        review: async (subject, context) => {
          kept ??= await inner.review(subject, context);
          return kept;
        },
      };
    };
    await expect(judgesEditsAnew(keeping)).rejects.toThrow('a verdict was kept over an edit');
  });

  it('saboteur: an edited text with the passes of a first one breaks the law', async () => {
    const forgetful: Arrangement = (reviewer, providers) => ({
      ...turns(reviewer, providers),
      countsEdits: undefined,
    });
    await expect(judgesEditsAnew(forgetful)).rejects.toThrow('a verdict was kept over an edit');
  });

  it('count answers only', () => countsAnswersOnly(turns));

  it('saboteur: a failure that is counted as a pass breaks the law', async () => {
    const trusting: Arrangement = (reviewer, providers) => {
      const fine = says('fine', 'yes');
      return turns(
        reviewer,
        providers.map((provider) => ({
          ...provider,
          generate: (request) => provider.generate(request).catch(() => fine.generate(request)),
        })),
      );
    };
    await expect(countsAnswersOnly(trusting)).rejects.toThrow('a failure was counted as a pass');
  });

  it('let one failure block', () => oneFailureBlocks(turns));

  it('saboteur: a majority breaks the law', async () => {
    const majority: Arrangement = (reviewer, providers) => {
      const each = providers.map((provider) => reviewer.asks?.asking(provider) ?? reviewer);
      return {
        ...reviewer,
        withProvider: undefined,
        review: async (subject, context) => {
          const answers = await Promise.all(
            each.map((judge, index) =>
              judge.review(subject, {
                ...context,
                check: (schema, work) => context.check(schema, work, `${index}`),
                step: (name, options, work) => context.step(`${index}/${name}`, options, work),
              }),
            ),
          );
          const said = answers.map((one) => ('assessments' in one ? one.assessments : one));
          const passing = said.filter(([one]) => one?.verdict === 'pass');
          return passing.length >= 2 ? (passing[0] ?? []) : (said[0] ?? []);
        },
      };
    };
    await expect(oneFailureBlocks(majority)).rejects.toThrow('a failure was outvoted');
  });

  it('count no judge twice', () => countsNoJudgeTwice(turns));

  it('saboteur: a second call of one judge that counts as another judge breaks the law', async () => {
    const renaming: Arrangement = (reviewer, providers) =>
      turns(
        reviewer,
        providers.map((provider, index) => ({ ...provider, id: `${provider.id}${index}` })),
      );
    await expect(countsNoJudgeTwice(renaming)).rejects.toThrow('a judge was counted twice');
  });

  it('ask each judge in its turn', () => allTakeTurns(turns));

  it('saboteur: one judge that takes all turns breaks the law', async () => {
    await expect(
      allTakeTurns((reviewer, providers) => turns(reviewer, providers.slice(0, 1))),
    ).rejects.toThrow('one judge took all turns');
  });
});
