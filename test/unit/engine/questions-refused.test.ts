import { describe, expect, it } from 'vitest';
import { type AskRequest, definePipeline } from '../../../src/index.js';
import { suspended } from './support.js';

const asking = (request: unknown) =>
  definePipeline<string, string>({
    produce: async (_, { ask }) => (await ask('go', request as AskRequest)).by,
    criteria: { fine: () => true },
  });

const allowed = ['reply'] as const;

describe('a question that nobody could answer', () => {
  it.each([
    ['no words', { question: ' ', allowed }],
    ['no text', { question: 7, allowed }],
    ['no kind of answer', { question: 'go?', allowed: [] }],
    ['a kind of answer that is no list', { question: 'go?', allowed: 'reply' }],
    ['an unknown schema', { question: 'go?', allowed, responseSchema: { type: 'colour' } }],
  ])('with %s fails the run, and nobody is asked', async (_, request) => {
    expect(await asking(request).run('task')).toMatchObject({
      status: 'failed',
      code: 'invalid_options',
    });
  });
});

describe('the reply to a question', () => {
  const schema = { type: 'object', properties: { size: { type: 'number' } }, required: ['size'] };
  const reply = (value: unknown) => ({ kind: 'reply', by: 'Ann', value }) as const;
  const asked = async (request: unknown) => {
    const pipeline = asking(request);
    const [open] = suspended(await pipeline.run('task', { runId: 'r' })).requests;
    return { pipeline, open };
  };

  it('fits its schema, or is refused and told', async () => {
    const { pipeline, open } = await asked({ question: 'go?', allowed, responseSchema: schema });
    for (const value of [{ size: 'large' }, {}, 7])
      await expect(pipeline.answer(open, reply(value))).rejects.toMatchObject({
        code: 'answer_invalid',
        value,
      });
    expect((await pipeline.answer(open, reply({ size: 7 }))).status).toBe('approved');
  });

  it('may be any JSON data where there is no schema, and nothing else', async () => {
    const { pipeline, open } = await asked({ question: 'go?', allowed });
    const endless: Record<string, unknown> = {};
    endless['self'] = endless;
    for (const value of [new Map(), new Date(0), { at: new Date(0) }, 1n, Number.NaN, endless])
      await expect(pipeline.answer(open, reply(value))).rejects.toMatchObject({
        code: 'answer_invalid',
      });
    expect((await pipeline.answer(open, reply([1, null, 'x']))).status).toBe('approved');
  });

  it('says who replied, and other answers need no schema', async () => {
    const request = { question: 'go?', allowed: ['reply', 'approve'], responseSchema: schema };
    const { pipeline, open } = await asked(request);
    const outcome = await pipeline.answer(open, { kind: 'approve', by: 'Ann', reason: 'yes' });
    expect(outcome).toMatchObject({ status: 'approved', output: 'Ann' });
  });
});
