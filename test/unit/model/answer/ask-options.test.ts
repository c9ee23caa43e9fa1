import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { askCounted } from '../../../../src/model/answer/ask-model.js';
import { checkAskOptions } from '../../../../src/model/answer/ask-options.js';
import { askModel } from '../../../../src/model/index.js';
import { fakeReviewerContext, scriptedProvider } from '../../../../src/testing/index.js';

const schema = z.object({ a: z.number() });
const good = '{"a":1}';
const base = () => ({ provider: scriptedProvider([good]), prompt: '?', schema });
const check = (changes: object) => () => checkAskOptions({ ...base(), ...changes } as never);

describe('options of askModel', () => {
  it('are known by their names', () => {
    expect(check({ model: 'gpt' })).toThrow(
      'askModel has no option `model`; it has provider, prompt, messages, system, schema, schemaName, read, reasks, repair, context, timeoutMs, signal, tokens, maxOutputTokens, temperature, seed, cacheHint, criteria, providerOptions',
    );
  });

  it.each([
    ['provider', { provider: null }],
    ['provider', { provider: { id: 'x' } }],
    ['provider', { provider: { generate: async () => ({}) } }],
    ['prompt', { prompt: undefined }],
    ['prompt', { messages: [{ role: 'user', content: '' }] }],
    ['prompt', { prompt: 7 }],
    ['messages', { prompt: undefined, messages: [] }],
    ['messages', { prompt: undefined, messages: 'text' }],
    ['schema', { schema: {} }],
    ['schemaName', { schemaName: '' }],
    ['schemaName', { schemaName: 'a'.repeat(65) }],
    ['schemaName', { schemaName: 'a b' }],
    ['read', { read: 'value' }],
    ['reasks', { reasks: 0.5 }],
    ['maxOutputTokens', { maxOutputTokens: 0 }],
    ['timeoutMs', { timeoutMs: -1 }],
    ['temperature', { temperature: -0.1 }],
    ['temperature', { temperature: Number.NaN }],
  ])('a wrong value is refused with its name: %s', (name, changes) => {
    expect(check(changes)).toThrow(
      expect.objectContaining({
        code: 'invalid_options',
        message: expect.stringContaining(`\`${name}\``),
      }),
    );
  });

  it('the value that was given instead of a question is shown', () => {
    expect(check({ prompt: 'both', messages: [] })).toThrow('"both"');
  });

  it.each([
    { temperature: 0 },
    { temperature: 2 },
    { reasks: 0 },
    { schemaName: 'a'.repeat(64) },
    { read: undefined },
    { prompt: undefined, messages: [{ role: 'user', content: '?' }] },
    { provider: Object.assign(() => {}, scriptedProvider([])) },
  ])('%o is allowed', (changes) => {
    expect(check(changes)).not.toThrow();
  });
});

describe('what askModel sends', () => {
  const contextOf = () => {
    const steps: { name: string; input: unknown; timeoutMs: number | undefined }[] = [];
    const reserved: number[] = [];
    let settled = 0;
    let attempt = 1;
    const context = fakeReviewerContext();
    return {
      steps,
      reserved,
      settled: () => settled,
      again: () => {
        attempt += 1;
      },
      context: {
        ...context,
        budget: {
          ...context.budget,
          reserve: ({ totalTokens = 0 }: { totalTokens?: number | undefined }) => {
            reserved.push(totalTokens);
            return {
              settle: () => {
                settled += 1;
              },
            };
          },
        },
        step: (async (name: string, options: object, work: (step: object) => unknown) => {
          const { input, timeoutMs } = options as { input: unknown; timeoutMs?: number };
          steps.push({ name, input, timeoutMs });
          return work({ signal: context.signal, key: `key-${name}`, attempt });
        }) as never,
      } as never,
    };
  };
  const tokens = { id: 'letters', count: async (text: string) => text.length };

  it('is recorded under the name of the answer, each further question under its own', async () => {
    const { context, steps } = contextOf();
    const provider = scriptedProvider(['bad', 'worse', good]);
    await askModel({ ...base(), provider, context, reasks: 2 });
    expect(steps.map(({ name }) => name)).toEqual(['answer', 'answer:again1', 'answer:again2']);
    const named = contextOf();
    await askModel({ ...base(), schemaName: 'verdict', context: named.context });
    expect(named.steps.map(({ name }) => name)).toEqual(['verdict']);
  });

  it('is what the record is found by: the service, the model and the question', async () => {
    const { context, steps } = contextOf();
    const provider = { ...scriptedProvider([good]), model: 'm-1' };
    await askModel({ ...base(), provider, system: 'be kind', seed: 7, context });
    expect(steps[0]?.input).toMatchObject({
      provider: 'scripted',
      model: 'm-1',
      system: 'be kind',
      seed: 7,
      schemaName: 'answer',
      messages: [{ role: 'user', content: '?' }],
    });
  });

  it('has a timeout only where one is set', async () => {
    const { context, steps } = contextOf();
    await askModel({ ...base(), context });
    await askModel({ ...base(), context, timeoutMs: 50 });
    expect(steps.map(({ timeoutMs }) => timeoutMs)).toEqual([undefined, 50]);
  });

  it('has another key when the step is tried again', async () => {
    const { context, again } = contextOf();
    const first = scriptedProvider([good]);
    await askModel({ ...base(), provider: first, context });
    again();
    const second = scriptedProvider([good]);
    await askModel({ ...base(), provider: second, context });
    expect([first, second].map(({ requests }) => requests[0]?.idempotencyKey)).toEqual([
      'key-answer',
      'key-answer-2',
    ]);
  });

  it('reserves the question, what follows it, and the longest answer, and frees it', async () => {
    const { context, reserved, settled } = contextOf();
    const provider = scriptedProvider(['bad', good]);
    await askModel({ ...base(), provider, context, tokens, system: 'sys', maxOutputTokens: 10 });
    const again = provider.requests[1]?.messages[1]?.content.length ?? 0;
    const prompt = 'sys\n?'.length;
    expect(reserved).toEqual([prompt + 10, prompt + 1 + again + 10]);
    expect(settled()).toBe(2);
    const unbounded = contextOf();
    await askModel({ ...base(), context: unbounded.context, tokens });
    expect(unbounded.reserved).toEqual(['\n?'.length + 1000]);
  });

  it('reserves what the caller counted, and counts only what follows the question', async () => {
    const { context, reserved } = contextOf();
    const provider = scriptedProvider(['bad', good]);
    const options = { ...base(), provider, context, tokens, read: (value: unknown) => ({ value }) };
    expect((await askCounted(options, async () => 500)).value).toEqual({ a: 1 });
    const again = provider.requests[1]?.messages[1]?.content.length ?? 0;
    expect(reserved).toEqual([1500, 1500 + again]);
  });

  it('a quote from the instructions or a message is no answer', async () => {
    const fenced = `<<<UNTRUSTED n a>>>\n${good}\n<<<END n>>>`;
    for (const changes of [
      { system: fenced },
      { prompt: undefined, messages: [{ role: 'user' as const, content: fenced }] },
      {
        prompt: undefined,
        messages: ['first', fenced].map((content) => ({ role: 'user' as const, content })),
      },
    ])
      await expect(askModel({ ...base(), ...changes, reasks: 0 })).rejects.toMatchObject({
        code: 'answer_unreadable',
      });
  });

  it('an answer that could not be used was not repaired, and is recorded with its problem', async () => {
    const recorded: unknown[] = [];
    const { context } = contextOf();
    const step = async (_: string, __: object, work: (call: object) => Promise<unknown>) => {
      const attempt = await work({ signal: new AbortController().signal, key: 'k', attempt: 1 });
      recorded.push(attempt);
      return attempt;
    };
    const provider = scriptedProvider(['bad', good]);
    await askModel({ ...base(), provider, context: { ...(context as object), step } as never });
    expect(recorded).toEqual([
      expect.objectContaining({ raw: 'bad', repaired: false, problem: expect.any(String) }),
      { value: { a: 1 }, raw: good, repaired: false, usage: {}, model: 'scripted' },
    ]);
  });

  it('an answer that is too deep for the schema is unreadable, whatever the stack says', async () => {
    const cause = new RangeError('Maximum call stack size exceeded');
    const read = () => {
      throw cause;
    };
    await expect(askModel({ ...base(), read, reasks: 0 })).rejects.toMatchObject({
      code: 'answer_unreadable',
      cause,
    });
  });

  it('nothing is read out of options that come without a reader', async () => {
    expect((await askModel({ ...base(), read: undefined } as never)).value).toEqual({ a: 1 });
  });

  it('an object beside the same text is the answer, and was not repaired', async () => {
    const provider = scriptedProvider([{ text: '{ "a": 1 }', object: { a: 1 } }]);
    expect(await askModel({ ...base(), provider })).toMatchObject({
      value: { a: 1 },
      raw: '{ "a": 1 }',
      repaired: false,
    });
    const silent = {
      ...provider,
      generate: async () =>
        ({
          text: '',
          object: { a: 2 },
          finish: 'stop',
          usage: {},
          model: 'm',
          warnings: [],
          attempts: 1,
        }) as never,
    };
    expect(await askModel({ ...base(), provider: silent })).toMatchObject({
      value: { a: 2 },
      raw: '{"a":2}',
    });
    const nothing = {
      ...silent,
      generate: async () =>
        ({ text: '', finish: 'stop', usage: {}, model: 'm', warnings: [], attempts: 1 }) as never,
    };
    await expect(askModel({ ...base(), provider: nothing, reasks: 0 })).rejects.toMatchObject({
      code: 'answer_empty',
      value: '',
    });
  });
});
