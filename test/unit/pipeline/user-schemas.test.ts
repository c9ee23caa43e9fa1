import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { z as older } from 'zod/v3';
import {
  criterion,
  definePipeline,
  type PipelineOptions,
  type Reviewer,
  type ReviewerContext,
} from '@/index.js';
import { askModel } from '@/model/index.js';
import { fromScorer } from '@/scorers/index.js';
import { scriptedProvider } from '@/testing/index.js';

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
      await expect(given(schema as never)).rejects.toMatchObject({
        code: 'invalid_options',
        message: expect.stringMatching(
          /`(?:task|output|(?:\w+\.)?schema)` to be a schema of zod 4/,
        ),
      });
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
