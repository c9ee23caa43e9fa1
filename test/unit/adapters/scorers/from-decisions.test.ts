import { describe, expect, it } from 'vitest';
import { fromDecisions } from '@/adapters/scorers/from-decisions.js';
import { definePipeline } from '@/index.js';
import { check } from '@/testing/index.js';
import { about, assessmentsBy } from './support.js';

const questions = {
  titled: { type: 'boolean', instructions: 'Has it a title?' },
  toxic: { type: 'boolean', instructions: 'Is it toxic?' },
  tone: { type: 'choice', criteria: { kind: 'warm', plain: 'neutral', rude: 'cold' } },
  depth: { type: 'score', criteria: ['none', 'some', 'much'] },
} as const;
const good = { toxic: false, tone: ['kind', 'plain'] } as const;
const answers = {
  titled: { type: 'boolean', probability: 0.9 },
  toxic: { type: 'boolean', probability: 0.02 },
  tone: { type: 'choice', choice: 'kind', probabilities: { kind: 0.5, plain: 0.25, rude: 0.25 } },
  depth: { type: 'score', score: 1 },
};
const judge = (given: object, usage?: object) =>
  fromDecisions(async () => ({ answers: given, ...(usage && { usage }) }), {
    ...about,
    questions,
    good,
  });

describe('decisions of the AI SDK as criteria', () => {
  it('each question is a criterion; probabilities are kept in the explanation', async () => {
    expect(await assessmentsBy(judge(answers))).toMatchObject([
      {
        criterion: 'tone/titled',
        verdict: 'pass',
        score: 0.9,
        explanation: 'yes 0.90 (score 0.90)',
      },
      {
        criterion: 'tone/toxic',
        verdict: 'pass',
        score: 0.98,
        explanation: 'yes 0.02 (score 0.98)',
      },
      {
        criterion: 'tone/tone',
        verdict: 'pass',
        score: 0.75,
        explanation: 'kind (kind 0.50, plain 0.25, rude 0.25) (score 0.75)',
      },
      {
        criterion: 'tone/depth',
        verdict: 'fail',
        score: 0.5,
        explanation: 'level 1 of 2 (score 0.50 is below 0.60)',
      },
    ]);
  });

  it('a choice without probabilities counts as a whole', async () => {
    const verdict = async (choice: string) => {
      const found = await assessmentsBy(judge({ ...answers, tone: { type: 'choice', choice } }));
      return found.find(({ criterion }) => criterion === 'tone/tone')?.verdict;
    };
    expect(await verdict('plain')).toBe('pass');
    expect(await verdict('rude')).toBe('fail');
  });

  it.each<[string, object]>([
    ['a refusal', { titled: { type: 'refusal' } }],
    ['a missing answer', { titled: undefined }],
    ['an answer of another type', { titled: { type: 'score', score: 1 } }],
    ['a probability above 1', { titled: { type: 'boolean', probability: 1.2 } }],
    ['NaN', { titled: { type: 'boolean', probability: Number.NaN } }],
    ['a choice that is no option', { tone: { type: 'choice', choice: 'loud' } }],
    ['a share above 1', { tone: { type: 'choice', choice: 'kind', probabilities: { kind: 2 } } }],
    ['a level above the last', { depth: { type: 'score', score: 3 } }],
    ['no level', { depth: { type: 'score' } }],
  ])('%s is errored, never a failure', async (_, changed) => {
    expect(await assessmentsBy(judge({ ...answers, ...changed }))).toMatchObject([
      { criterion: 'tone', verdict: 'errored', error: { code: 'scorer_invalid' } },
    ]);
  });

  it('a call that rejects is errored', async () => {
    const refuses = fromDecisions(() => Promise.reject(new Error('refused: titled')), {
      ...about,
      questions,
      good,
    });
    expect(await assessmentsBy(refuses)).toMatchObject([
      { verdict: 'errored', error: { what: 'tone threw: refused: titled' } },
    ]);
  });

  it('the usage of the call counts once; without one it is unknown', async () => {
    const used = async (usage?: object) =>
      (await definePipeline({ reviewers: [judge(answers, usage)] }).review('tea', '# Tea')).usage;
    const usage = { inputTokens: 20, outputTokens: 2, totalTokens: 22 };
    expect(await used(usage)).toEqual(usage);
    expect(await used()).toEqual({});
    expect(await used({ inputTokens: undefined, outputTokens: undefined })).toEqual({});
  });

  it('is checked alone', async () => {
    expect(await check(judge(answers), '# Tea')).toMatchObject({
      passed: false,
      findings: [{ description: 'depth: level 1 of 2 (score 0.50 is below 0.60)' }],
    });
  });
});

describe('misuse of fromDecisions', () => {
  it.each<[string, object, RegExp]>([
    ['no questions', { questions: {} }, /`questions of tone`/],
    ['questions that are a list', { questions: [] }, /questions of tone takes a plain object/],
    ['a box question', { questions: { a: { type: 'box' } } }, /`the question tone\/a`/],
    [
      'a choice without good',
      { questions, good: {} },
      /`good of tone\/tone` to be one or more of kind, plain, rude/,
    ],
    ['an unknown option as good', { questions, good: { tone: 'nice' } }, /`good of tone\/tone`/],
    ['no option as good', { questions, good: { tone: [] } }, /`good of tone\/tone`/],
    ['a level as good', { questions, good: { ...good, depth: 'much' } }, /`good of tone\/depth`/],
    [
      'a text as good of a boolean',
      { questions, good: { ...good, titled: 'yes' } },
      /`good of tone\/titled`/,
    ],
    [
      'one level',
      { questions: { a: { type: 'score', criteria: ['x'] } } },
      /`criteria of tone\/a`/,
    ],
    ['good of no question', { questions, good: { ...good, loud: true } }, /`good of tone`.*"loud"/],
    ['no threshold', { questions, good, threshold: undefined }, /`threshold of tone`/],
  ])('%s', (_, options, message) => {
    const make = () => fromDecisions(async () => ({ answers }), { ...about, ...options } as never);
    expect(make).toThrow(expect.objectContaining({ code: 'invalid_options' }));
    expect(make).toThrow(message);
  });

  it('no function to decide', () => {
    expect(() => fromDecisions({} as never, { ...about, questions, good })).toThrow(
      /`decide of tone`/,
    );
  });
});
