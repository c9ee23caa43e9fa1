import { describe, expect, it } from 'vitest';
import {
  type Assessment,
  definePipeline,
  type LLMProvider,
  memoryStore,
  pairwise,
  panel,
  type Reviewer,
  ReviewLoopError,
  verified,
} from '../../../src/index.js';
import { inTurn } from '../../../src/pipeline/trust.js';
import { scriptedProvider } from '../../../src/testing/index.js';
import { failed, passed, suspended } from '../engine/support.js';

type Review = Reviewer<string, string>['review'];

const model = (id: string): LLMProvider => scriptedProvider(() => '', { id });

/** A reviewer of a model that answers by a function for each model. */
function seated(answers: Readonly<Record<string, Review>>): Reviewer<string, string> {
  const as = (provider: LLMProvider = model('first')): Reviewer<string, string> => ({
    id: 'judge',
    version: provider.id,
    tier: 'model',
    review: answers[provider.id] ?? (async () => [passed('judge')]),
    asks: { provider, asking: as },
  });
  return as();
}

const plain = (id: string, review: Review): Reviewer<string, string> => ({
  id,
  version: '1',
  tier: 'model',
  review,
});

async function assessed(reviewer: Reviewer<string, string>): Promise<Assessment | undefined> {
  const pipeline = definePipeline<string, string>({ reviewers: [reviewer], retries: 0 });
  return (await pipeline.review('task', 'the output')).assessments[0];
}

const rejects = (error: unknown): Review => {
  return () => Promise.reject(error);
};
const outage = new ReviewLoopError('reviewer_threw', 'an outage', { retryable: false });

describe('a judge in turn that fails', () => {
  const turning = (answers: Readonly<Record<string, Review>>, tries = 2) =>
    inTurn(seated(answers), { providers: [model('a'), model('b')], tries, passes: { first: 2 } });

  it('with an error of its own is asked again, and its error is the cause', async () => {
    let asked = 0;
    const found = await assessed(
      turning({
        b: () => {
          asked += 1;
          throw new TypeError('no field');
        },
      }),
    );
    expect(asked).toBe(2);
    expect(found).toMatchObject({
      verdict: 'errored',
      criterion: 'judge',
      error: { code: 'reviewer_threw', retryable: true, cause: { message: 'no field' } },
    });
  });

  it('with an error that no other try mends is asked once', async () => {
    let asked = 0;
    const found = await assessed(
      turning({
        b: () => {
          asked += 1;
          throw outage;
        },
      }),
    );
    expect(asked).toBe(1);
    expect(found).toMatchObject({ verdict: 'errored', error: { what: 'an outage' } });
  });

  it('and answers what is no assessment is errored', async () => {
    expect(await assessed(turning({ b: async () => 'fine' as never }))).toMatchObject({
      verdict: 'errored',
      error: { code: 'reviewer_invalid' },
    });
  });

  it('because it waits for a person has not failed', async () => {
    const asks: Review = async (_, context) => {
      await context.ask('ok', { question: 'ok?', allowed: ['approve'], gaps: [] });
      return [passed('judge')];
    };
    const pipeline = definePipeline<string, string>({
      produce: async () => 'x',
      reviewers: [turning({ a: asks, b: asks })],
      store: memoryStore(),
    });
    let outcome = await pipeline.run('task', { runId: 'r' });
    for (let answers = 0; answers < 2; answers += 1)
      outcome = await pipeline.answer(suspended(outcome).requests[0], {
        kind: 'approve',
        by: 'ann',
      });
    expect(outcome).toMatchObject({ status: 'approved' });
  });
});

describe('a judge in turn', () => {
  const turning = (judge: Reviewer<string, string>) =>
    inTurn(judge, { providers: [model('a')], passes: { first: 1 } });

  it('keeps what its reviewer selects and mends, which may use its reviewer', async () => {
    const judge = {
      ...seated({ a: async () => [passed('judge')] }),
      mark: '!',
      scope(this: { mark: string }, { output }: { readonly output: string }) {
        return `${output}${this.mark}`;
      },
      async fix(this: { mark: string }, output: string) {
        return `${output}${this.mark}`;
      },
    };
    const taken = turning(judge);
    expect(taken.scope?.({ task: 'task', output: 'x' })).toBe('x!');
    expect(await taken.fix?.('x', {} as never, {} as never)).toBe('x!');
    const bare = turning(seated({}));
    expect([bare.scope, bare.fix]).toEqual([undefined, undefined]);
  });

  it('says which model voted, where a provider has one', async () => {
    const named = { ...model('a'), model: 'large' };
    const found = await assessed(
      inTurn(seated({}), { providers: [named, model('b')], passes: { first: 2 } }),
    );
    expect(found).toMatchObject({
      votes: {
        by: [
          { judge: 'a', model: 'large', passed: true },
          { judge: 'b', passed: true },
        ],
      },
    });
    const by = found !== undefined && 'votes' in found ? found.votes?.by : undefined;
    expect(by?.[1]).not.toHaveProperty('model');
  });
});

describe('a member of a panel that fails', () => {
  const members = (second: Review) =>
    panel([plain('one', async () => [passed('one')]), plain('two', second)], { quorum: 2 });

  it.each<[string, Review, object]>([
    [
      'with an error of this library',
      rejects(outage),
      { retryable: false, cause: { what: 'an outage' } },
    ],
    [
      'with an error of its own',
      rejects(new TypeError('no field')),
      { retryable: true, cause: { code: 'reviewer_threw', cause: { message: 'no field' } } },
    ],
    [
      'because it judged nothing',
      async () => [{ verdict: 'skipped', criterion: 'two', reason: 'not for me' }],
      { cause: { code: 'reviewer_invalid' } },
    ],
    [
      'because it could not tell',
      async () => [
        {
          verdict: 'undecided',
          criterion: 'two',
          reason: 'too little to see',
          decidableBy: ['person'],
          mandatory: true,
        },
      ],
      { cause: { code: 'reviewer_undecided' } },
    ],
    [
      'with an assessment that is errored',
      async () => [passed('other'), { verdict: 'errored', criterion: 'two', error: outage }],
      { retryable: false, cause: { what: 'an outage' } },
    ],
    [
      'with what is no assessment',
      async () => 'fine' as never,
      { cause: { code: 'reviewer_invalid' } },
    ],
  ])('%s has no vote', async (_, second, error) => {
    expect(await assessed(members(second))).toMatchObject({
      verdict: 'errored',
      error: { code: 'quorum_missed', ...error },
    });
  });

  it('leaves the others to decide where they are enough', async () => {
    const three = panel(
      [
        plain('one', async () => [passed('one')]),
        plain('two', async () => [passed('two')]),
        plain('three', rejects(outage)),
      ],
      { quorum: 2 },
    );
    expect(await assessed(three)).toMatchObject({
      verdict: 'pass',
      votes: { pass: 2, fail: 0, failed: 1 },
    });
  });
});

describe('a panel', () => {
  const member = (id: string, more: Partial<Reviewer<string, string>> = {}) => ({
    ...plain(id, async () => [passed(id)]),
    ...more,
  });

  it('is minor only if every member is', () => {
    const severity = (...all: ('minor' | 'major' | undefined)[]) =>
      panel(all.map((one, index) => member(`m${index}`, { severity: one }))).severity;
    expect(severity('minor', 'minor')).toBe('minor');
    expect(severity('minor', 'major')).toBeUndefined();
    expect(severity('minor', 'minor', 'major')).toBeUndefined();
    expect(severity('minor', undefined)).toBeUndefined();
  });

  it.each<[string, readonly unknown[], object]>([
    ['reviewers', [member('a'), {}], {}],
    ['reviewers', [member('a'), null], {}],
    ['id', [member('a')], { id: '' }],
    ['id', [member('a')], { id: 7 }],
    ['quorum', [member('a')], { quorum: 0 }],
    ['veto', [member('a')], { veto: 0 }],
    ['toEdit', [member('a')], { toEdit: 0 }],
    ['correlation', [member('a')], { correlation: 2 }],
    ['borderline', [member('a')], { borderline: 7 }],
    ['borderline.bar', [member('a')], { borderline: { bar: 2, within: 0.1 } }],
    ['borderline.within', [member('a')], { borderline: { bar: 0.5, within: 0 } }],
    ['borderline.rounds', [member('a')], { borderline: { bar: 0.5, within: 0.1, rounds: 0 } }],
  ])('names what is wrong with its %s', (name, members, wrong) => {
    expect(() => panel(members as Reviewer<string, string>[], wrong)).toThrow(
      expect.objectContaining({
        code: 'invalid_options',
        message: expect.stringContaining(name),
      }),
    );
  });

  it('counts edits if a member does', () => {
    const counts = panel([member('a'), member('b', { countsEdits: true })]);
    expect(counts.countsEdits).toBe(true);
    expect(panel([member('a'), member('b')])).not.toHaveProperty('countsEdits');
  });
});

describe('another opinion that fails', () => {
  const opinions = (...answers: readonly Review[]) => {
    let asked = 0;
    return verified(
      plain('judge', (subject, context) => {
        asked += 1;
        return (answers[asked - 1] as Review)(subject, context);
      }),
      { opinions: 5 },
    );
  };
  const finds: Review = async () => [failed('judge', 'wrong')];

  it('with an error of its own may be tried again', async () => {
    const found = await assessed(opinions(finds, rejects(new TypeError('no field'))));
    expect(found).toMatchObject({
      verdict: 'errored',
      criterion: 'judge',
      error: { code: 'reviewer_threw', retryable: true, cause: { message: 'no field' } },
    });
  });

  it('with an error that no other try mends says so', async () => {
    const found = await assessed(opinions(finds, finds, rejects(outage)));
    expect(found).toMatchObject({
      verdict: 'errored',
      error: { code: 'reviewer_threw', retryable: false, cause: { what: 'an outage' } },
    });
    if (found?.verdict === 'errored') expect(found.error.message).toContain('opinion 3');
  });

  it('with an assessment that is errored fails that criterion alone', async () => {
    const both: Review = async () => [failed('judge', 'wrong'), failed('other', 'bad')];
    const half: Review = async () => [
      { verdict: 'errored', criterion: 'judge', error: outage },
      failed('other', 'bad'),
    ];
    const pipeline = definePipeline<string, string>({
      reviewers: [opinions(both, half, both, both, both)],
      retries: 0,
    });
    expect((await pipeline.review('task', 'the output')).assessments).toMatchObject([
      { verdict: 'errored', criterion: 'judge' },
      { verdict: 'fail', criterion: 'other', gaps: [{ standing: 'confirmed' }] },
    ]);
  });
});

describe('a comparison that fails', () => {
  it('is errored, also where it is the fault of no model', async () => {
    const versions = ['one', 'two'];
    const outcome = await definePipeline<string, string>({
      produce: async () => versions[0] ?? '',
      address: async () => versions[1] ?? '',
      criteria: { no: { check: () => 'no', severity: 'minor' } },
      reviewers: [
        pairwise({
          provider: {
            ...model('broken'),
            generate: () => Promise.reject(new TypeError('no field')),
          },
        }),
      ],
      policy: ({ review }) => ({
        kind: 'revise',
        reason: 'on',
        from: 'latest',
        blocking: [review.gaps[0]!],
      }),
      failFast: false,
      retries: 0,
      budget: { reviews: 2 },
    }).run('task');
    const last = outcome.reviews[1]?.assessments.find(({ criterion }) => criterion === 'pairwise');
    expect(last).toMatchObject({ verdict: 'errored' });
  });
});
