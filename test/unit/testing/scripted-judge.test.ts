import { describe, expect, it } from 'vitest';
import { definePipeline, llmCriteria, llmCriterion, type Reviewer, reviewOutput } from '@/index.js';
import { dimension } from '@/products/reviewer-stage/dimensions/dimension-reviewer.js';
import { scriptedJudge, scriptedProvider } from '@/testing/index.js';

const question = { id: 'clear', question: 'Is it clear?' } as const;
const verdictsOf = async (reviewers: readonly Reviewer<string, string>[]) =>
  (await reviewOutput<string, string>({ task: 'tea', output: 'Tea.', reviewers })).assessments;

describe('scriptedJudge', () => {
  it('makes answers that judges accept [R2-111]', async () => {
    const provider = scriptedJudge({ Clear: 'yes', short: { answer: 'no', quote: 'Tea' } });
    const both = llmCriteria([question, { id: 'short', question: 'Is it short?' }], {
      mode: 'batch',
      provider,
    });
    expect(await verdictsOf(both)).toMatchObject([{ verdict: 'pass' }, { verdict: 'fail' }]);
    expect(await verdictsOf([dimension({ ...question, provider })])).toMatchObject([
      { verdict: 'pass' },
    ]);
  });

  it('answers call by call, and fails where the list says so', async () => {
    const provider = scriptedJudge({ clear: ['no', new Error('overloaded'), 'yes'] });
    const reviewers = [llmCriterion<string>({ ...question, provider })];
    const seen: unknown[] = [];
    for (let call = 0; call < 4; call += 1) {
      const { assessments } = await definePipeline<string, string>({
        reviewers,
        retries: 0,
      }).review('tea', 'Tea.');
      seen.push(assessments[0]?.verdict);
    }
    expect(seen).toEqual(['fail', 'errored', 'pass', 'pass']);
    expect(() => scriptedJudge({ clear: [] })).toThrow('at least one answer');
  });

  it('answers by the id of a criterion, before any part of a question', async () => {
    const provider = scriptedJudge({ clear: 'no', apt: 'yes' });
    const asked = [
      llmCriterion<string>({ id: 'apt', question: 'Is it clear and polite?', provider }),
      llmCriterion<string>({ id: 'clear', question: 'Is each term explained?', provider }),
      dimension<string>({ id: 'apt', question: 'Is it clear?', provider }),
      ...llmCriteria<string>([{ id: 'apt', question: 'Is it clear?' }], {
        mode: 'batch',
        provider,
      }),
    ];
    const verdicts = await Promise.all(asked.map(async (one) => (await verdictsOf([one]))[0]));
    expect(verdicts.map((found) => found?.verdict)).toEqual(['pass', 'fail', 'pass', 'pass']);
    expect(provider.requests.map(({ criteria }) => criteria)).toContainEqual(['clear']);
  });

  it('reads the material, without the task', async () => {
    const seen: string[] = [];
    const provider = scriptedJudge({
      clear: (text) => {
        seen.push(text);
        return text.includes('Tea.') ? 'yes' : 'no';
      },
    });
    const [found] = await verdictsOf([llmCriterion({ ...question, provider })]);
    expect(found?.verdict).toBe('pass');
    expect(seen).toEqual(['Tea.']);
  });

  it('shows a question that it has no answer to', async () => {
    const provider = scriptedJudge({ short: 'yes' });
    const [first] = await verdictsOf([llmCriterion({ ...question, provider })]);
    expect(first).toMatchObject({
      verdict: 'errored',
      error: {
        what: expect.stringContaining(
          "no answer to 'Question 1: Is it clear?' of `clear`",
        ) as string,
      },
    });
    expect(() => scriptedJudge({})).toThrow('at least one answer');
  });
});

it.each([
  ['{"answers": []}', /token: /],
  ['{"token": "x", "answers": [{"question": 1, "answer": "yes"}]}', /answers\[0\]\.reason: /],
  ['{"review": {"token": "x"}}', /token: [\s\S]*answers: /],
])('an answer that does not match names the member: %s [R2-111]', async (text, named) => {
  const provider = scriptedProvider(() => text);
  const [first] = await verdictsOf([llmCriterion({ ...question, provider })]);
  expect(first).toMatchObject({
    verdict: 'errored',
    error: { what: expect.stringMatching(named) as string },
  });
});
