import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { AskRequest } from '@/index.js';
import { errorWith } from '../../support/matchers.js';
import { asking, failsWith, only, pipelineOf, publish, suspended } from './support.js';

describe('a reply', () => {
  const priced = () =>
    asking(async (_task, context) => {
      const answer = await context.ask('price', {
        question: 'Which price?',
        allowed: ['reply', 'reject'],
        responseSchema: z.toJSONSchema(z.object({ price: z.number().min(1) })),
      });
      return answer.kind === 'reply' ? JSON.stringify(answer.value) : 'none';
    });

  it('gives its value to produce', async () => {
    const pipeline = priced();
    const request = only(await pipeline.run('tea', { runId: 'r' }));
    expect(request.responseSchema).toMatchObject({ type: 'object', required: ['price'] });
    expect(
      await pipeline.answer(request, { kind: 'reply', by: 'Ann', value: { price: 12 } }),
    ).toMatchObject({ status: 'approved', output: '{"price":12}' });
  });

  it.each([
    ['of another type', { price: 'dear' }, /expected number/],
    ['out of range', { price: 0 }, /price/],
    ['that is missing', undefined, /no value/],
    ['that is not JSON', { price: 12, at: () => 1 }, /refused/],
  ])(
    '%s is refused with the words of the schema, and the question stays open',
    async (_, value, words) => {
      const pipeline = priced();
      const request = only(await pipeline.run('tea', { runId: 'r' }));
      await expect(
        pipeline.answer(request, { kind: 'reply', by: 'Ann', value }),
      ).rejects.toMatchObject({ ...errorWith('answer_invalid', words), ...(value && { value }) });
      expect(
        await pipeline.answer(request, { kind: 'reply', by: 'Ann', value: { price: 1 } }),
      ).toMatchObject({ status: 'approved' });
    },
  );

  it('is refused where the question does not allow it', async () => {
    const pipeline = asking(async (_task, context) => (await context.ask('publish', publish)).kind);
    const request = only(await pipeline.run('tea', { runId: 'r' }));
    await failsWith(
      pipeline.answer(request, { kind: 'reply', by: 'Ann', value: 1 }),
      'answer_not_allowed',
    );
  });

  it('is no answer to the question of a policy', async () => {
    const pipeline = pipelineOf({
      produce: async (task) => task,
      criteria: { long: () => true },
      policy: () => ({ kind: 'ask', reason: 'x', question: 'y?', allowed: ['reply' as 'approve'] }),
    });
    expect(await pipeline.run('tea')).toMatchObject({ status: 'failed', code: 'policy_invalid' });
  });
});

const askingFor = (request: unknown) =>
  pipelineOf({ produce: async (_, { ask }) => (await ask('go', request as AskRequest)).by });

const allowed = ['reply'] as const;

it.each([
  ['no words', { question: ' ', allowed }, /question/],
  ['no text', { question: 7, allowed }, /question/],
  ['no kind of answer', { question: 'go?', allowed: [] }, /allowed/],
  ['a kind of answer that is no list', { question: 'go?', allowed: 'reply' }, /allowed/],
  [
    'an unknown schema',
    { question: 'go?', allowed, responseSchema: { type: 'colour' } },
    /responseSchema/,
  ],
])(
  'a question that nobody could answer with %s fails the run, and nobody is asked',
  async (_, request, reason) => {
    expect(await askingFor(request).run('task')).toMatchObject({
      status: 'failed',
      code: 'invalid_options',
      reason: expect.stringMatching(reason),
    });
  },
);

describe('the reply to a question', () => {
  const schema = { type: 'object', properties: { size: { type: 'number' } }, required: ['size'] };
  const reply = (value: unknown) => ({ kind: 'reply', by: 'Ann', value }) as const;
  const asked = async (request: unknown) => {
    const pipeline = askingFor(request);
    const [open] = suspended(await pipeline.run('task', { runId: 'r' })).requests;
    return { pipeline, open };
  };

  it('may be any JSON data where there is no schema, and nothing else', async () => {
    const { pipeline, open } = await asked({ question: 'go?', allowed });
    const endless: Record<string, unknown> = {};
    endless['self'] = endless;
    for (const value of [new Map(), new Date(0), { at: new Date(0) }, 1n, Number.NaN, endless])
      await failsWith(pipeline.answer(open, reply(value)), 'answer_invalid');
    expect((await pipeline.answer(open, reply([1, null, 'x']))).status).toBe('approved');
  });

  it('says who replied, and other answers need no schema', async () => {
    const request = { question: 'go?', allowed: ['reply', 'approve'], responseSchema: schema };
    const { pipeline, open } = await asked(request);
    const outcome = await pipeline.answer(open, { kind: 'approve', by: 'Ann', reason: 'yes' });
    expect(outcome).toMatchObject({ status: 'approved', output: 'Ann' });
  });
});
