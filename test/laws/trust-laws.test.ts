import { describe, expect, it } from 'vitest';
import {
  confirm,
  definePipeline,
  type LLMProvider,
  llmCriterion,
  memoryStore,
  memoryVerdicts,
  type PipelineOptions,
  type Policy,
  type Reviewer,
  verified,
} from '@/index.js';
import { checklistJudge, type Fault } from '../support/checklist-judge.js';

const fault: Fault = {
  question: /explain|everything/,
  found: /oolong/,
  reason: 'oolong is not explained',
};
const sees = (id = 'sees') => checklistJudge([fault], { id });
const blind = (id = 'blind') => checklistJudge([], { id });
const clear = (provider: LLMProvider) =>
  llmCriterion<string, string>({ id: 'clear', question: 'Does it explain every term?', provider });

/** How a pipeline checks the findings of a reviewer, with someone for a second opinion. */
type Checking = (
  reviewer: Reviewer<string, string>,
  other: LLMProvider,
) => Reviewer<string, string>;

/** Law 4: a finding is checked before it becomes an edit, and a fail with only disputed gaps asks or escalates. */
async function checkedBeforeEdited(
  check: Checking,
  more: Partial<PipelineOptions<string, string>> = {},
): Promise<void> {
  const edits: string[] = [];
  const run = (other: LLMProvider) =>
    definePipeline<string, string>({
      produce: async () => 'oolong',
      address: async (text, gaps) => {
        edits.push(...gaps.map(({ description }) => description));
        return text.replace('oolong', 'tea');
      },
      reviewers: [check(clear(sees()), other)],
      ...more,
    }).run('tea');
  const disputed = await run(blind());
  expect(edits, 'edited what nobody else sees').toEqual([]);
  expect(disputed.status, 'a disputed failure went through').toBe('escalated');
  expect(disputed.reviews[0]?.gaps, 'a disputed finding is not shown').toMatchObject([
    { standing: 'disputed' },
  ]);
  const confirmed = await run(sees('other'));
  expect(confirmed, 'what two see is not edited').toMatchObject({
    status: 'approved',
    output: 'tea',
  });
}

/** Law 4, quotes: what is not there is no evidence, however often it is said. */
async function quotesOccur(check: Checking): Promise<void> {
  const inventing: Reviewer<string, string> = {
    id: 'inventing',
    version: '1',
    tier: 'model',
    review: async () => [
      {
        verdict: 'fail',
        criterion: 'inventing',
        score: 0,
        explanation: '',
        gaps: [
          {
            id: '',
            severity: 'major',
            category: 'quality',
            description: 'd',
            suggestedFix: 'f',
            estimatedEffort: 'small',
            autoFixable: true,
            evidence: 'coffee',
          },
        ],
      },
    ],
  };
  const review = await definePipeline<string, string>({
    reviewers: [check(inventing, blind())],
  }).review('tea', 'all about tea');
  expect(review.decision.kind, 'edits for an invented quote').toBe('stop');
}

describe('law 4: a finding is checked before it becomes an edit', () => {
  it('holds for verified: a second opinion, and a quote that occurs', async () => {
    await checkedBeforeEdited((reviewer, other) => verified(reviewer, { confirmWith: other }));
    await quotesOccur((reviewer) => verified(reviewer));
  });

  it('holds against a policy that hands over everything', async () => {
    const everything: Policy = ({ review }) =>
      review.gaps.length > 0
        ? {
            kind: 'revise',
            reason: 'all',
            from: 'latest',
            blocking: [review.gaps[0]!, ...review.gaps.slice(1)],
          }
        : { kind: 'approve', reason: 'none' };
    await checkedBeforeEdited((reviewer, other) => verified(reviewer, { confirmWith: other }), {
      policy: everything,
    });
  });

  it('is broken by edits-at-first-sight', async () => {
    await expect(checkedBeforeEdited((reviewer) => reviewer)).rejects.toThrow(
      'edited what nobody else sees',
    );
    await expect(quotesOccur((reviewer) => reviewer)).rejects.toThrow(
      'edits for an invented quote',
    );
  });

  it('is broken by drops-what-is-disputed', async () => {
    const dropping: Checking = (reviewer, other) => {
      const inner = verified(reviewer, { confirmWith: other });
      return {
        ...inner,
        review: async (subject, context) => {
          const answer = await inner.review(subject, context);
          const assessments = 'assessments' in answer ? answer.assessments : answer;
          return assessments.map((given) =>
            given.verdict === 'fail' && given.gaps.every(({ standing }) => standing === 'disputed')
              ? { ...given, verdict: 'pass', score: 1, gaps: [] }
              : given,
          );
        },
      };
    };
    await expect(checkedBeforeEdited(dropping)).rejects.toThrow('a disputed failure went through');
  });
});

/** How a pipeline confirms. */
type Confirming = (
  reviewer: Reviewer<string, string>,
  other: LLMProvider,
) => readonly Reviewer<string, string>[];

/** Law 5: one dissent blocks; the confirming judge is asked last, over the whole, in every round anew, without history. */
async function oneDissentBlocks(confirming: Confirming): Promise<void> {
  const other = sees('other');
  const pipeline = definePipeline<string, string>({
    produce: async () => 'oolong',
    address: async (text) => text.replace('oolong', 'tea'),
    reviewers: [clear(blind()), ...confirming(clear(blind()), other)],
    policy: () => ({ kind: 'approve', reason: 'the judge says so' }),
    verdicts: memoryVerdicts(),
    store: memoryStore(),
  });
  for (let run = 1; run <= 2; run += 1) {
    const outcome = await pipeline.run('tea');
    expect(outcome.output, 'approved over a dissent').toBe('tea');
    expect(outcome.reviews[0]?.decision.kind).toBe('revise');
    expect(other.requests.length, 'a verdict was reused').toBe(run * 2);
  }
  const prompts = other.requests.map(({ system = '', messages }) =>
    [system, ...messages.map(({ content }) => content)].join('\n'),
  );
  expect(
    prompts.filter((prompt) => prompt.includes('is not explained')),
    'earlier findings were shown',
  ).toEqual([]);
  const asked = sees('late');
  await definePipeline<string, string>({
    reviewers: [clear(sees()), ...confirming(clear(blind()), asked)],
  }).review('tea', 'oolong');
  expect(asked.requests, 'asked although approval was ruled out').toEqual([]);
}

describe('law 5: one dissent blocks approval', () => {
  const right: Confirming = (reviewer, other) =>
    confirm({ reviewers: [reviewer], providers: [other] });
  it('holds for confirm', () => oneDissentBlocks(right));

  it('is broken by one-more-vote: a confirming judge that is asked beside the others', async () => {
    await expect(
      oneDissentBlocks((reviewer, other) =>
        right(reviewer, other).map((judge) => ({ ...judge, tier: 'model' })),
      ),
    ).rejects.toThrow('approved over a dissent');
  });

  it('is broken by asks-the-judge-itself', async () => {
    await expect(
      oneDissentBlocks((reviewer) => confirm({ reviewers: [reviewer] })),
    ).rejects.toThrow('approved over a dissent');
  });

  it('is broken by remembers-verdicts', async () => {
    const remembering: Confirming = (reviewer, other) =>
      right(reviewer, other).map((judge) => {
        const known = new Map<unknown, ReturnType<typeof judge.review>>();
        return {
          ...judge,
          review: (subject, context) => {
            const answer = known.get(subject.output) ?? judge.review(subject, context);
            known.set(subject.output, answer);
            return answer;
          },
        };
      });
    await expect(oneDissentBlocks(remembering)).rejects.toThrow('a verdict was reused');
  });
});
