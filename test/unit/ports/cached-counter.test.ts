import { describe, expect, it } from 'vitest';
import { llmCriteria, llmCriterion, reviewOutput, type TokenCounter, type Usage } from '@/index.js';
import { cachedCounter, cachedCounterFor } from '@/ports/token-counter.js';
import {
  type CompletedWork,
  defaultDimensions,
  ReviewerStage,
} from '@/products/reviewer-stage/index.js';
import { fakeReviewerContext } from '@/testing/index.js';
import { checklistJudge } from '../../support/checklist-judge.js';

/** Counts characters, and notes which texts it was asked about. */
function noting(): TokenCounter & { readonly texts: string[] } {
  const texts: string[] = [];
  return {
    id: 'characters',
    texts,
    count: async (text) => {
      texts.push(text);
      return text.length;
    },
  };
}

describe('a counter that counts each text once', () => {
  it('asks about each text once, also while the first count is still out', async () => {
    const counter = noting();
    const once = cachedCounter(counter);
    expect(once.id).toBe('characters');
    expect(await Promise.all([once.count('ab'), once.count('ab'), once.count('c')])).toEqual([
      2, 2, 1,
    ]);
    expect(await once.count('ab')).toBe(2);
    expect(counter.texts).toEqual(['ab', 'c']);
  });

  it('tries again what failed', async () => {
    let failures = 1;
    const once = cachedCounter({
      id: 'x',
      count: async () => (failures-- > 0 ? Promise.reject(new Error('not there')) : 3),
    });
    await expect(once.count('a')).rejects.toThrow('not there');
    expect(await once.count('a')).toBe(3);
  });

  it('takes a counter that answers at once', async () => {
    const once = cachedCounter({
      id: 'x',
      count: ((text: string) => text.length) as unknown as TokenCounter['count'],
    });
    expect(await once.count('abc')).toBe(3);
  });

  it('forgets all that it knows rather than to keep texts without a bound', async () => {
    const counter = noting();
    const once = cachedCounter(counter);
    const huge = 'x'.repeat(2 ** 23);
    for (const text of ['a', huge, `${huge}y`, 'a']) await once.count(text);
    expect(counter.texts.map(({ length }) => length)).toEqual([1, 2 ** 23, 2 ** 23 + 1, 1]);
  });

  it('is shared by all who ask about the same thing with the same counter, and by nobody else', async () => {
    const [one, other] = [noting(), noting()];
    const thing = {};
    for (const counter of [
      cachedCounterFor(thing, one),
      cachedCounterFor(thing, one),
      cachedCounterFor({}, one),
      cachedCounterFor(thing, other),
      cachedCounterFor('text', one),
      cachedCounterFor(null, one),
    ])
      await counter.count('a');
    expect([one.texts.length, other.texts.length]).toEqual([4, 1]);
  });
});

describe('what a review counts', () => {
  const changedFiles = Array.from({ length: 8 }, (_, index) => ({
    path: `src/${index}.ts`,
    status: 'modified' as const,
    content: `const own${index} = 1;`,
    diff: `+const own${index} = 1;\n-old`,
  }));
  const work: CompletedWork = {
    sessionId: 's',
    request: 'Change them',
    executionResults: [],
    verificationResults: [{ name: 'npm test', passed: true }],
    changedFiles,
  };

  it('is every file and every diff of some work once, however many dimensions look at them', async () => {
    const tokens = noting();
    const provider = checklistJudge([]);
    await new ReviewerStage({
      provider,
      dimensions: defaultDimensions({ tokens, maxPromptTokens: 400 }),
    }).review(work);
    expect(provider.requests.length).toBeGreaterThan(5);
    for (const { content, diff } of changedFiles)
      expect(tokens.texts.filter((text) => text.includes(content))).toEqual([content, diff]);
  });

  it('is every artifact once, however many criteria are asked about the whole output', async () => {
    const tokens = noting();
    const provider = checklistJudge([]);
    const output = {
      artifacts: ['first', 'second'].map((content, index) => ({
        type: 'page',
        path: `${index}.md`,
        content,
      })),
    };
    const reviewers = llmCriteria(
      ['a', 'b', 'c'].map((id) => ({ id, question: `${id}?` })),
      { tokens },
    );
    await reviewOutput({ task: '', output, reviewers, provider });
    expect(provider.requests.length).toBe(3);
    for (const text of ['first', 'second'])
      expect(tokens.texts.filter((counted) => counted.includes(text))).toEqual([text]);
  });

  it('is reserved in full: what was counted of the material, and all of the prompt beside it', async () => {
    const reserved: Usage[] = [];
    const provider = checklistJudge([]);
    const context = fakeReviewerContext({
      budget: {
        reserve: (estimate) => {
          reserved.push(estimate);
          return { settle: () => {} };
        },
      },
    });
    const reviewer = llmCriterion({
      id: 'clear',
      question: 'Is it clear?',
      tokens: noting(),
      maxOutputTokens: 10,
      provider,
    });
    await reviewer.review(
      { task: 'a task', output: { text: 'what was made' }, iteration: 1 },
      context,
    );
    const [{ system = '', messages } = { messages: [] }] = provider.requests;
    expect(reserved).toEqual([
      { totalTokens: [system, ...messages.map(({ content }) => content)].join('\n').length + 10 },
    ]);
  });
});
