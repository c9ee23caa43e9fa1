import { describe, expect, it } from 'vitest';
import {
  confirm,
  criterion,
  definePipeline,
  llmCriteria,
  llmCriterion,
  ReviewLoopError,
} from '../../../src/index.js';
import { fakeContext, scriptedJudge } from '../../../src/testing/index.js';

describe('a criterion that is asked without an engine', () => {
  const cyclic: unknown[] = [];
  cyclic.push(cyclic);

  it.each<[string, unknown]>([
    ['null', null],
    ['a number that is none', Number.NaN],
    ['a function', () => true],
    ['a cycle', cyclic],
    ['a score of 7', { passed: true, score: 7 }],
    ['nothing', undefined],
  ])('refuses %s as an answer, and says what it got', async (_, answer) => {
    const wrong = criterion<string, string>('wrong', () => answer as never);
    await expect(wrong.validate('x', 'task', fakeContext())).rejects.toMatchObject({
      code: 'criterion_invalid',
      value: answer,
    });
  });

  it('gives the long form of its answer', async () => {
    const short = criterion<string, string>('short', async () => 'too long');
    expect(await short.validate('x', 'task', fakeContext())).toMatchObject({ passed: false });
    const fine = criterion<string, string>('fine', () => true);
    expect(await fine.validate('x', 'task', fakeContext())).toMatchObject({ passed: true });
  });

  it('by a model sees what it selects, alone, also as part of a batch', async () => {
    const seen: string[] = [];
    const reads = (text: string) => {
      seen.push(text);
      return 'yes' as const;
    };
    const provider = scriptedJudge({ 'Is it right?': reads, 'Is it good?': reads });
    const [right, good] = llmCriteria<{ readonly a: string; readonly b: string }, string>(
      [
        { id: 'right', question: 'Is it right?', scope: ({ a }) => a },
        { id: 'good', question: 'Is it good?', scope: ({ b }) => b },
      ],
      { mode: 'batch', provider },
    );
    const both = { a: 'first part', b: 'second part' };
    expect(await right?.validate(both, 'task', fakeContext())).toMatchObject({ passed: true });
    expect(await good?.validate(both, 'task', fakeContext())).toMatchObject({ passed: true });
    expect(provider.requests).toHaveLength(2);
    expect(seen[0]).toContain('first part');
    expect(seen[0]).not.toContain('second part');
    expect(seen[1]).toContain('second part');
  });
});

describe('a criterion', () => {
  it.each<[string, unknown, unknown]>([
    ['an id', '', () => true],
    ['an id with a letter', ' ', () => true],
    ['an id that is a text', 7, () => true],
    ['a check', 'a', 'yes'],
  ])('needs %s', (_, id, check) => {
    expect(() => criterion(id as string, check as () => true)).toThrow(
      expect.objectContaining({ code: 'invalid_options' }),
    );
  });

  it.each<[string, () => never, string]>([
    [
      'throws',
      () => {
        throw new Error('no disk');
      },
      'criterion_threw',
    ],
    [
      'changes what it reviews',
      () => {
        throw new TypeError("Cannot assign to read only property 'a'");
      },
      'criterion_mutated',
    ],
    [
      'throws an error of this library',
      () => {
        throw new ReviewLoopError('scope_failed', 'nothing to see');
      },
      'scope_failed',
    ],
    ['answers nonsense', () => 7 as never, 'criterion_invalid'],
  ])('that %s is errored by the name of that', async (_, check, code) => {
    const review = await definePipeline<string, string>({
      reviewers: [criterion('a', check), criterion('b', async () => check())],
      retries: 0,
    }).review('task', 'x');
    expect(review.assessments).toMatchObject([
      { verdict: 'errored', criterion: 'a', error: { code } },
      { verdict: 'errored', criterion: 'b', error: { code } },
    ]);
  });

  it('by a model may mend what it finds', async () => {
    const provider = scriptedJudge({
      loud: (text) => (text.includes('!') ? { answer: 'no', quote: '!' } : 'yes'),
    });
    const outcome = await definePipeline<string, string>({
      produce: async () => 'Tea!',
      reviewers: [
        llmCriterion({
          id: 'loud',
          question: 'Is it quiet?',
          provider,
          fix: async (output) => output.replaceAll('!', '.'),
        }),
      ],
    }).run('task');
    expect(outcome).toMatchObject({ status: 'approved', output: 'Tea.' });
  });
});

describe('the judge that confirms', () => {
  it('is told from the one that judged by its model, or by its service', () => {
    const judge = (id: string, model?: string) => ({
      ...scriptedJudge({ clear: 'yes' }, { id }),
      model,
    });
    const confirming = (own: ReturnType<typeof judge>, other: ReturnType<typeof judge>) => () =>
      confirm({
        reviewers: [llmCriterion({ id: 'clear', question: 'Is it clear?', provider: own })],
        providers: [other],
      });
    expect(confirming(judge('a', 'small'), judge('a', 'large'))).not.toThrow();
    expect(confirming(judge('a'), judge('b'))).not.toThrow();
    expect(confirming(judge('a', 'small'), judge('a', 'small'))).toThrow('a small');
    expect(confirming(judge('a'), judge('a'))).toThrow(
      expect.objectContaining({ code: 'invalid_options' }),
    );
  });
});
