import { beforeAll, expect, it } from 'vitest';
import { type Decisions, fromDecisions } from '@/adapters/scorers/from-decisions.js';
import { describeFramework } from '../support/frameworks.js';
import { cancelledRun, verdictsBy } from '../support/scorer-verdicts.js';

interface Sdk {
  readonly experimental_decide: (options: object) => Promise<Decisions>;
}
type Decide = (call: { abortSignal?: AbortSignal }) => Promise<object>;

const questions = {
  kind: { type: 'boolean', instructions: 'Is it kind?' },
  tone: { type: 'choice', instructions: 'What is its tone?', criteria: { warm: null, cold: null } },
  depth: { type: 'score', instructions: 'How deep is it?', criteria: ['flat', 'some', 'deep'] },
} as const;
const answers = {
  kind: { type: 'boolean', probability: 0.9 },
  tone: { type: 'choice', choice: 'warm', probabilities: { warm: 0.7, cold: 0.3 } },
  depth: { type: 'score', score: 1.6 },
};
const about = { id: 'judge', threshold: 0.6, version: '1' };

describeFramework('ai-7', (framework) => {
  let sdk: Sdk;
  let Model: new (options: { doDecide: Decide }) => object;
  beforeAll(async () => {
    sdk = (await framework.load('ai')) as unknown as Sdk;
    const test = await framework.load('ai/test');
    Model = test['Experimental_DecisionMockModelV4'] as typeof Model;
  });

  const deciding = (doDecide: Decide) =>
    fromDecisions<typeof questions, string, string>(
      ({ task, output, signal }) =>
        sdk.experimental_decide({
          model: new Model({ doDecide }),
          state: { task, output },
          questions,
          abortSignal: signal,
          maxRetries: 0,
        }),
      { ...about, questions, good: { tone: 'warm' } },
    );
  const answering = (changed: object = {}) =>
    deciding(async () => ({ answers: { ...answers, ...changed }, warnings: [] }));

  it('the example compiles with the types of the AI SDK', () => {
    expect(framework.typeErrors(['examples/frameworks/scorers-ai-sdk.ts'])).toBe('');
  });

  it('the example runs', async () => {
    expect(await framework.run('examples/frameworks/scorers-ai-sdk.ts')).toEqual({
      err: '',
      out: [
        'approved We are sorry. It left today.',
        'reply/tone kind (kind 0.95, cold 0.05) (score 0.95)',
        'reply/complete yes 0.90 (score 0.90)',
        'tokens: 70',
        '',
      ].join('\n'),
      code: 0,
    });
  });

  it('answers pass and fail by the threshold', async () => {
    expect(await verdictsBy(answering(), 'x', 'y')).toEqual([
      'judge/kind: pass: yes 0.90 (score 0.90)',
      'judge/tone: pass: warm (warm 0.70, cold 0.30) (score 0.70)',
      'judge/depth: pass: level 1.6 of 2 (score 0.80)',
    ]);
    const low = answering({ kind: { type: 'boolean', probability: 0.2 } });
    expect(await verdictsBy(low, 'x', 'y')).toContain(
      'judge/kind: fail: yes 0.20 (score 0.20 is below 0.60)',
    );
  });

  it.each<[string, object]>([
    ['a refusal', { kind: { type: 'refusal' } }],
    ['a probability above 1', { kind: { type: 'boolean', probability: 1.5 } }],
    [
      'probabilities that are no distribution',
      { tone: { ...answers.tone, probabilities: { warm: 1, cold: 1 } } },
    ],
    ['a level above the last', { depth: { type: 'score', score: 5 } }],
    ['a missing answer', { depth: undefined }],
  ])('%s is errored', async (_, changed) => {
    expect(await verdictsBy(answering(changed), 'x', 'y')).toEqual([
      expect.stringMatching(/^judge: errored scorer_threw: judge threw: /),
    ]);
  });

  it('a model that throws is errored', async () => {
    const fails = deciding(async () => {
      throw new Error('no key');
    });
    expect(await verdictsBy(fails, 'x', 'y')).toEqual([
      expect.stringContaining('errored scorer_threw: judge threw: no key'),
    ]);
  });

  it('a cancelled run aborts the call', async () => {
    let begin = (_: AbortSignal | undefined): void => {};
    const called = new Promise<AbortSignal | undefined>((resolve) => {
      begin = resolve;
    });
    const hangs = deciding(async ({ abortSignal }) => {
      begin(abortSignal);
      return new Promise(() => {});
    });
    const outcome = await cancelledRun(hangs, { task: 'x', output: 'y', called });
    expect(outcome.status).toBe('cancelled');
    expect((await called)?.aborted).toBe(true);
  });
});

describeFramework('ai-6', (framework) => {
  it('has no decisions, as the page says', async () => {
    expect(await framework.load('ai')).not.toHaveProperty('experimental_decide');
  });
});
