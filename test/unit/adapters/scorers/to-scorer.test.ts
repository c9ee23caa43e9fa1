import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { evaliteScorer } from '@/adapters/scorers/evalite-scorer.js';
import { fromScorer } from '@/adapters/scorers/from-scorer.js';
import { promptfooAssertion } from '@/adapters/scorers/promptfoo-assertion.js';
import { type ScoredCase, toScorer } from '@/adapters/scorers/to-scorer.js';
import { criterion, definePipeline, type PipelineOptions } from '@/index.js';
import { expectCode } from '../../../support/matchers.js';
import { throwing } from '../../../support/throwing.js';
import { about, assessmentsBy } from './support.js';

type Options = Partial<PipelineOptions<string, string>>;

const titled = criterion('titled', (text: string) => text.startsWith('# ') || 'no title');
const short = criterion('short', (text: string) => text.length < 20 || 'too long', {
  severity: 'minor',
});
const broken = criterion('broken', throwing('no key'));
const unsure = criterion('unsure', () => ({
  passed: false,
  score: 0,
  details: '',
  undecided: 'it has no date',
}));
const article = (options: Options = {}) =>
  definePipeline<string, string>({ reviewers: [titled, short], ...options });
const good = { input: 'tea', output: '# Tea' };
const bad = { input: 'tea', output: 'Tea' };

/** Pipelines that nobody can tell about, and why. */
const unknowing: readonly (readonly [string, Options, RegExp])[] = [
  ['a judge failed', { reviewers: [titled, broken] }, /no key/],
  ['a judge could not tell', { reviewers: [titled, unsure] }, /no date/],
  [
    'a person has to decide',
    {
      policy: () => ({
        kind: 'ask',
        reason: 'a disputed gap',
        question: '?',
        allowed: ['approve'],
      }),
    },
    /a disputed gap/,
  ],
  [
    'nothing was judged',
    {
      reviewers: [
        criterion('none', () => ({ passed: false, score: 0, details: '', skipped: 'no page' })),
      ],
    },
    /no criterion gave a verdict/,
  ],
  [
    'reviewers only advise',
    { policy: () => ({ kind: 'accept', code: 'advisory', reason: 'only advice' }) },
    /only advice/,
  ],
  [
    'its judges are not calibrated',
    { policy: () => ({ kind: 'stop', status: 'escalated', code: 'x', reason: 'not calibrated' }) },
    /not calibrated/,
  ],
];

describe('a pipeline as a scorer', () => {
  it('scores an approved output 1, and a refused one 0 with its gaps', async () => {
    const scorer = toScorer(article(), { name: 'article' });
    expect(await scorer(good)).toMatchObject({
      name: 'article',
      score: 1,
      metadata: { approved: true, overall: 1, gaps: [], usage: {} },
    });
    const refused = await scorer(bad);
    expect(refused).toMatchObject({
      score: 0,
      metadata: {
        approved: false,
        rationale: expect.stringContaining('[major] titled: no title'),
        gaps: [{ severity: 'major', description: 'titled: no title', criterion: 'titled' }],
        criteria: [
          { criterion: 'titled', verdict: 'fail', score: 0, text: 'no title' },
          { criterion: 'short', verdict: 'pass', score: 1, text: '' },
        ],
      },
    });
    expect(JSON.parse(JSON.stringify(refused))).toEqual(refused);
  });

  it('scores by a list of criteria', async () => {
    expect(await toScorer([titled, short])(bad)).toMatchObject({ name: 'reviewloop', score: 0 });
  });

  it('`overall` is the score of the review, whatever is approved', async () => {
    const scorer = toScorer(article(), { score: 'overall' });
    const { score, metadata } = await scorer(bad);
    expect(score).toBe(metadata.overall);
    expect(score).toBeGreaterThan(0.5);
    expect(metadata.approved).toBe(false);
  });

  it('a stop with open gaps is a refusal', async () => {
    const policy = () =>
      ({ kind: 'stop', status: 'escalated', code: 'unfixable', reason: 'too bad' }) as const;
    expect(await toScorer(article({ policy }))(bad)).toMatchObject({ score: 0 });
  });

  it.each(unknowing)('has no score when %s', async (_, options, reason) => {
    for (const score of ['approval', 'overall'] as const)
      expect(await toScorer(article({ retries: 0, ...options }), { score })(good)).toMatchObject({
        score: null,
        metadata: { approved: null, rationale: expect.stringMatching(reason) },
      });
  });

  it('makes the task of the case', async () => {
    const about = criterion('about', (text: string, task: { readonly topic: string }) =>
      text.includes(task.topic),
    );
    const scorer = toScorer([about], {
      task: ({ input, expected }: ScoredCase<string, string, string>) => ({
        topic: `${input}${expected}`,
      }),
    });
    expect((await scorer({ input: 'te', output: 'tea', expected: 'a' })).score).toBe(1);
  });

  it('is aborted by the signal of the case', async () => {
    await expectCode(toScorer(article())({ ...good, signal: AbortSignal.abort() }), 'cancelled');
  });

  it('becomes a criterion again, which is undecided where nobody could tell', async () => {
    const again = (options: Options) =>
      assessmentsBy(fromScorer(toScorer(article({ retries: 0, ...options })), about));
    expect(await again({})).toMatchObject([{ verdict: 'pass' }]);
    expect(await again({ reviewers: [broken] })).toMatchObject([{ verdict: 'undecided' }]);
  });
});

describe('a pipeline as a scorer of evalite', () => {
  it('has a name, a description and a score with metadata', async () => {
    const { name, description, scorer } = evaliteScorer(article(), { description: 'by review' });
    expect({ name, description }).toEqual({ name: 'reviewloop', description: 'by review' });
    expect(await scorer(bad)).toMatchObject({ score: 0, metadata: { approved: false } });
    expect(Object.keys(evaliteScorer(article(), { name: 'a' }))).toEqual(['name', 'scorer']);
  });

  it.each(unknowing)('throws when %s', async (_, options, reason) => {
    const { scorer } = evaliteScorer(article({ retries: 0, ...options }), { name: 'article' });
    const failure = scorer(good);
    await expect(failure).rejects.toMatchObject({ code: 'nobody_could_tell' });
    await expect(failure).rejects.toThrow(/^article has no score: /);
    await expect(failure).rejects.toThrow(reason);
  });
});

describe('a pipeline as an assertion of promptfoo', () => {
  const context = { prompt: 'Write about tea', vars: { topic: 'tea' } };
  const task = ({ vars }: { readonly vars: Readonly<Record<string, unknown>> }) =>
    String(vars['topic']);

  it('takes the rendered prompt as its task, and needs one where promptfoo tells none [R3-102]', async () => {
    const tasks: string[] = [];
    const same = criterion('same', (_: string, given: string) => tasks.push(given) > 0);
    const assertion = promptfooAssertion([same]);
    expect(await assertion('Tea', context)).toMatchObject({ pass: true });
    expect(tasks).toEqual(['Write about tea']);
    await expect(assertion('Tea', { ...context, prompt: undefined })).rejects.toMatchObject({
      ...{ code: 'invalid_options', what: expect.stringContaining('promptfoo gave no prompt') },
    });
  });

  it('has a component for each criterion', async () => {
    expect(await promptfooAssertion(article(), { task })('Tea', context)).toMatchObject({
      pass: false,
      score: 0,
      reason: expect.stringContaining('no title'),
      componentResults: [
        { pass: false, score: 0, reason: 'titled: no title' },
        { pass: true, score: 1, reason: 'short' },
      ],
      namedScores: { titled: 0, short: 1 },
      metadata: { reviewloop: { approved: false } },
    });
    expect(await promptfooAssertion(article(), { task })('# Tea', context)).toMatchObject({
      pass: true,
      score: 1,
    });
  });

  it('`pass` is the approval, also with the overall score', async () => {
    const assertion = promptfooAssertion(article(), { task, score: 'overall' });
    const { pass, score } = await assertion('Tea', context);
    expect(pass).toBe(false);
    expect(score).toBeGreaterThan(0.5);
  });

  it('reviews what `output` makes of the text', async () => {
    const sum = criterion('sum', ({ value }: { readonly value: number }) => value === 3);
    const assertion = promptfooAssertion([sum], {
      task,
      output: (text) => JSON.parse(text) as { value: number },
    });
    expect(await assertion('{"value":3}', context)).toMatchObject({ pass: true });
  });

  it.each(unknowing)('throws when %s', async (_, options, reason) => {
    const assertion = promptfooAssertion(article({ retries: 0, ...options }), { task });
    await expect(assertion('# Tea', context)).rejects.toThrow(reason);
  });
});

describe('misuse of pipelines as scorers', () => {
  it.each([[undefined], [null], ['article'], [titled], [{ review: () => {} }]])(
    '%s as a judge',
    (judge) => {
      expect(() => toScorer(judge as never)).toThrow(/`the judge` to be a pipeline or a list/);
    },
  );

  it.each<[string, () => unknown, RegExp]>([
    ['an empty list', () => toScorer([]), /no criteria and no reviewers/],
    ['an empty name', () => toScorer([titled], { name: '' }), /`name`/],
    ['an unknown score', () => toScorer([titled], { score: 'mean' as never }), /`score`/],
    ['a task that is no function', () => toScorer([titled], { task: 1 as never }), /`task`/],
    ['no task for promptfoo', () => promptfooAssertion([titled], { task: 1 as never }), /`task`/],
    [
      'an output that is no function',
      () => promptfooAssertion([titled], { task: String, output: 1 as never }),
      /`output`/,
    ],
    [
      'an unknown option',
      () => evaliteScorer([titled], { threshold: 1 } as never),
      /no option `threshold`/,
    ],
  ])('%s', (_, make, message) => {
    expect(make).toThrow(message);
  });
});

describe('the result of an assertion', () => {
  // the members and types that `isGradingResult` and `GradingResult` of promptfoo 0.121.20 ask for
  const component = z.object({ pass: z.boolean(), score: z.number(), reason: z.string() });
  const GradingResult = component.extend({
    componentResults: z.array(component),
    namedScores: z.record(z.string(), z.number()),
    metadata: z.record(z.string(), z.unknown()),
  });

  it.each([['# Tea'], ['Tea']])('of %s is a grading result of promptfoo', async (text) => {
    const assertion = promptfooAssertion(article(), { task: () => 'tea' });
    const result = await assertion(text, { prompt: undefined, vars: {} });
    expect(z.strictObject(GradingResult.shape).parse(result)).toEqual(result);
  });
});
