import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { z as older } from 'zod/v3';
import { fromScorer } from '@/adapters/scorers/from-scorer.js';
import { askModel, rateLimit } from '@/blocks/models/index.js';
import {
  criterion,
  definePipeline,
  GapDetector,
  type LLMProvider,
  limiter,
  type PipelineOptions,
  QualityScorer,
  type Reviewer,
  type ReviewerContext,
  reviewOutput,
  SelfReviewLoop,
} from '@/index.js';
import { fakeClock, fakeReviewerContext, scriptedProvider, settle } from '@/testing/index.js';
import { errorWith, withCode } from '../../../support/matchers.js';
import { reviewerOf } from '../../../support/reviewer.js';

/** A reviewer that tells which provider it was given. */
function needy(id: string): Reviewer<unknown, string> {
  const of = (provider: LLMProvider): Reviewer<unknown, string> => ({
    id,
    version: provider.id,
    tier: 'model',
    review: async () => [
      { verdict: 'pass', criterion: id, score: 1, explanation: provider.id, gaps: [] },
    ],
  });
  return { ...of({ id: 'none' } as LLMProvider), withProvider: of };
}

const provider = scriptedProvider([], { id: 'the pipeline' });

describe('the provider of a pipeline', () => {
  it('is inherited by reviewers that lack one', async () => {
    const review = await reviewOutput({
      task: '',
      output: 'text',
      reviewers: [needy('a'), needy('b')],
      provider,
    });
    expect(
      review.assessments.map(
        (assessment) => assessment.verdict === 'pass' && assessment.explanation,
      ),
    ).toEqual(['the pipeline', 'the pipeline']);
  });

  it('is not passed to reviewers that have one', async () => {
    const own = needy('a').withProvider?.(scriptedProvider([], { id: 'own' }));
    const review = await reviewOutput({ task: '', output: 'text', reviewers: [own!], provider });
    expect(review.assessments[0]).toMatchObject({ explanation: 'own' });
  });

  const criterion = {
    id: 'a',
    name: 'a',
    description: 'a',
    severity: 'major' as const,
    category: 'quality' as const,
    validate: async () => ({ passed: true, score: 1, details: '' }),
    reviewer: needy('a'),
  };

  it('is missing when the pipeline is defined, not when it runs', () => {
    expect(() => definePipeline({ produce: async () => 'x', reviewers: [needy('a')] })).toThrow(
      withCode('provider_missing'),
    );
    expect(() => new SelfReviewLoop<string, unknown>([criterion])).toThrow(
      withCode('provider_missing'),
    );
    expect(() => new GapDetector<string, unknown>([criterion])).toThrow(
      withCode('provider_missing'),
    );
  });

  it('reaches the criteria of the façades of seed 004', async () => {
    const { assessments } = await new GapDetector<string, unknown>([criterion], {
      provider,
    }).detect('text', null);
    expect(assessments[0]).toMatchObject({ explanation: 'the pipeline' });
    const { outcome } = await new SelfReviewLoop<string, unknown>(
      [criterion],
      {},
      { provider },
    ).execute(null, async () => 'text');
    expect(outcome.reviews[0]?.assessments[0]).toMatchObject({ explanation: 'the pipeline' });
  });

  it('is given to an `address` that lacks one', async () => {
    const address = Object.assign(async (text: string) => text, {
      withProvider: (given: LLMProvider) => async (text: string) => `${text} by ${given.id}`,
    });
    const options = {
      produce: async () => 'x',
      address,
      criteria: { done: (text: string) => text.includes('by') || 'not yet' },
    };
    expect(await definePipeline({ ...options, provider }).run(null)).toMatchObject({
      approved: true,
      output: 'x by the pipeline',
    });
    expect(() => definePipeline(options)).toThrow(withCode('provider_missing'));
  });

  it('must be one', () => {
    expect(() =>
      definePipeline({ criteria: { a: () => true }, provider: 'gpt' as unknown as LLMProvider }),
    ).toThrow('expected `provider` to be an LLMProvider');
  });
});

describe('join', () => {
  const pass = (id: string, explanation: string) => [
    { verdict: 'pass' as const, criterion: id, score: 1, explanation, gaps: [] },
  ];

  it('waits for the calls of another reviewer, and longer than one call may take', async () => {
    const clock = fakeClock();
    let release = (_: string): void => {};
    const shared = new Promise<string>((resolve) => {
      release = resolve;
    });
    const waiting: Reviewer<unknown, string> = reviewerOf('waiting', async (_, context) =>
      pass('waiting', await context.join(shared)),
    );
    const calling: Reviewer<unknown, string> = reviewerOf('calling', async (_, context) => {
      for (const call of ['1', '2', '3', '4'])
        await context.check(
          z.null(),
          () => new Promise((resolve) => void clock.after(80, () => resolve(null))),
          call,
        );
      release('heard');
      return pass('calling', 'called');
    });
    const reviewing = definePipeline<unknown, string>({
      reviewers: [waiting, calling],
      timeouts: { checkMs: 100 },
      clock,
    }).review(null, 'text');
    for (let step = 0; step < 40; step += 1) {
      await settle();
      clock.advance(10);
    }
    const { assessments } = await reviewing;
    expect(assessments[0]).toMatchObject({ verdict: 'pass', explanation: 'heard' });
  });

  it('simply waits in a test', async () => {
    expect(await fakeReviewerContext().join(Promise.resolve(1))).toBe(1);
  });
});

const options = { produce: async (_: string) => 'tea', criteria: { ok: () => true } };

/** A pipeline with a reviewer whose context is given to a function. */
const reviewing = async (work: (context: ReviewerContext) => Promise<unknown>) => {
  const review: Reviewer<string, string>['review'] = async (_, context) => {
    await work(context);
    return [{ verdict: 'pass', criterion: 'r', score: 1, explanation: '', gaps: [] }];
  };
  const reviewers = [{ id: 'r', version: '1', tier: 'code' as const, review }];
  const { reviews } = await definePipeline({ produce: options.produce, reviewers }).run('t');
  const [assessment] = reviews[0]?.assessments ?? [];
  if (assessment?.verdict === 'errored') throw assessment.error;
};

/** Every place where a user gives a schema. */
const places: Readonly<Record<string, (schema: never) => Promise<unknown>>> = {
  'task of a pipeline': async (task) => definePipeline({ ...options, task }).run('t'),
  'output of a pipeline': async (output) => definePipeline({ ...options, output }).run('t'),
  'a question to a model': async (schema) =>
    askModel({ provider: scriptedProvider(['"tea"']), prompt: 'q', schema }),
  'a step': async (schema) =>
    reviewing((context) => context.step('s', { schema, input: 1 }, async () => 'tea')),
  'a check': async (schema) => reviewing((context) => context.check(schema, async () => 'tea')),
  'a step of produce': async (schema) => {
    const produce: PipelineOptions<string, string>['produce'] = async (_task, context) =>
      context.step('s', { schema, input: 1 }, async () => 'tea');
    const outcome = await definePipeline({ ...options, produce }).run('t');
    if (outcome.status === 'failed') throw outcome.error;
  },
};
const others = {
  'of zod 3': older.string(),
  'in JSON': { type: 'string' },
  'a class': String,
  'nothing at all': null,
};

describe.each(Object.entries(places))('a schema of a user, in %s', (_, given) => {
  it('reads, if it is of zod 4', async () => {
    await expect(given(z.string() as never)).resolves.not.toThrow();
  });

  it.each(Object.entries(others))(
    'is named if it is %s [R3-112] [R3-113]',
    async (_kind, schema) => {
      await expect(given(schema as never)).rejects.toMatchObject(
        errorWith('invalid_options', /`(?:task|output|(?:\w+\.)?schema)` to be a schema of zod 4/),
      );
    },
  );
});

describe('a score that rounding put just outside of 0 to 1', () => {
  const scored = async (score: number) => {
    const scorer = fromScorer<string, string>(async () => ({ score }), {
      ...{ id: 's', threshold: 0.5, version: '1' },
    });
    const own = criterion<string>('c', () => ({ passed: score > 0.5, score, details: '' }));
    const pipeline = definePipeline({
      ...{ produce: options.produce, reviewers: [scorer, own], failFast: false },
    });
    const { reviews } = await pipeline.run('t');
    const found = reviews[0]?.assessments.map((one): [string, unknown] => [
      one.criterion,
      'score' in one ? one.score : one.verdict,
    ]);
    return Object.fromEntries(found ?? []);
  };

  it.each([1.0000000000000002, 1.0000000009])('is 1: %d [R3-114]', async (score) => {
    expect(await scored(score)).toEqual({ s: 1, c: 1 });
  });

  it('is 0 below [R3-114]', async () => {
    expect(await scored(-1e-17)).toEqual({ s: 0, c: 0 });
  });

  it.each([1.1, -0.1, 1.001, Number.NaN, Number.POSITIVE_INFINITY])(
    'is none further away: %d',
    async (score) => {
      expect(await scored(score)).toEqual({ s: 'errored', c: 'errored' });
    },
  );
});

const good = { produce: async () => 'x', criteria: { a: () => true } };
const define = (more: object) =>
  definePipeline({ ...good, ...more } as PipelineOptions<string, string>);
const refused = (pattern: RegExp) =>
  expect.objectContaining({ code: 'invalid_options', message: expect.stringMatching(pattern) });
const thrownBy = async (work: () => unknown): Promise<unknown> => {
  try {
    return { result: await work() };
  } catch (error) {
    return error;
  }
};

describe('what is no option', () => {
  it.each([
    ['limiter', { enter: () => {} }, /`limiter` to be an object with `enter`, `age`, `spend`/],
    ['store', null, /`store` .* got null/],
    ['store', 'file', /`store`.*"file"/],
    ['learn', {}, /`relevantTo`/],
    ['logger', console.log, /`logger`/],
    ['clock', { now: 5, after: () => {} }, /`clock`/],
    ['random', Math.random, /`random`/],
    ['workspace', { snapshot: () => '' }, /`workspace`/],
    ['verdicts', new Map(), /`verdicts`/],
    ['failFast', 'no', /`failFast` to be true or false/],
    ['reuse', 0, /`reuse` to be true or false/],
    ['name', 5, /`name` to be a text/],
    ['human', { policy: 'prompt', notify: 'me' }, /`human.notify` to be a function/],
    ['human', null, /human takes a plain object/],
    ['budget', 3, /budget takes a plain object of options, got 3/],
    ['timeouts', { produceMs: Object.create(null) }, /`timeouts.produceMs`/],
  ])('is refused where the pipeline is built: %s', async (name, value, pattern) => {
    expect(await thrownBy(() => define({ [name]: value }))).toEqual(refused(pattern));
  });

  it('is refused by runs: a misspelt `runId` would make a run that nobody can continue', async () => {
    const pipeline = define({});
    for (const options of [
      { runid: 'a' },
      null,
      { signal: 5 },
      { signal: null },
      { runId: 5 },
    ] as never[]) {
      expect(await thrownBy(() => pipeline.run('task', options))).toEqual(
        refused(/option|signal|runId/),
      );
    }
    expect(
      await thrownBy(() =>
        pipeline.answer({ runId: 'a', id: 'b', digest: 'c' }, { kind: 'approve', by: 'me' }, {
          sore: 1,
        } as never),
      ),
    ).toEqual(refused(/no option `sore`/));
  });

  it('is refused where nobody would ever be called back', async () => {
    const pipeline = define({});
    expect(
      await thrownBy(() =>
        (pipeline.on as (event: string, listener: () => void) => void)('review-ended', () => {}),
      ),
    ).toEqual(refused(/`event` to be one of run-start, .*"review-ended"/));
    expect(await thrownBy(() => pipeline.on('review-end', undefined as never))).toEqual(
      refused(/`listener` to be a function/),
    );
  });

  it('is refused by limits, detectors and scorers', async () => {
    expect(await thrownBy(() => limiter({ concurrency: 1, requestPerMinute: 5 } as never))).toEqual(
      refused(/no option `requestPerMinute`/),
    );
    expect(await thrownBy(() => limiter(undefined as never))).toEqual(
      refused(/limiter takes a plain object/),
    );
    expect(await thrownBy(() => rateLimit({ perMinute: 5 } as never))).toEqual(
      refused(/no option `perMinute`/),
    );
    expect(await thrownBy(() => new GapDetector([] as never, { timeout: 5 } as never))).toEqual(
      refused(/no option `timeout`/),
    );
    expect(await thrownBy(() => new QualityScorer({ weight: {} } as never))).toEqual(
      refused(/no option `weight`/),
    );
  });
});
