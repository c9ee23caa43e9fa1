import { describe, expect, it } from 'vitest';
import { openaiProvider } from '@/adapters/providers/openai/index.js';
import type { OpenAIOptions } from '@/adapters/providers/openai/openai-options.js';
import type { LLMRequest, LLMResult } from '@/core/llm-provider.js';
import { request } from '../../../blocks/models/middleware/support.js';

const schema = { type: 'object', properties: {} };

/** Calls the provider over a client that gives one answer, and returns what the client was asked. */
async function ask(
  answer: unknown,
  options: Partial<OpenAIOptions>,
  more: Partial<LLMRequest> = {},
): Promise<{
  readonly result: LLMResult;
  readonly body: Record<string, unknown>;
  readonly settings: object;
}> {
  const calls: (readonly [Record<string, unknown>, object])[] = [];
  const endpoint = {
    create: async (body: never, settings: never) => {
      calls.push([body, settings]);
      return answer;
    },
  };
  const result = await openaiProvider({
    model: 'asked',
    client: { chat: { completions: endpoint }, responses: endpoint },
    ...options,
  }).generate(request(more));
  const [body = {}, settings = {}] = calls[0] ?? [];
  return { result, body, settings };
}

const said = (message: object, more: object = {}): object => ({
  id: 'c1',
  model: 'served',
  choices: [{ finish_reason: 'stop', message, ...more }],
});
const responded = (
  more: object,
  output: readonly object[] = [
    { type: 'message', content: [{ type: 'output_text', text: 'fine' }] },
  ],
): object => ({
  id: 'r1',
  model: 'served',
  status: 'completed',
  output,
  ...more,
});
const full: Partial<LLMRequest> = {
  system: 'Be short.',
  schema,
  schemaName: 'a verdict!',
  maxOutputTokens: 7,
  temperature: 0.5,
  seed: 3,
  providerOptions: { user: 'u1' },
  idempotencyKey: 'k1',
};

describe('openaiProvider, chat', () => {
  it('sends what the request says, and nothing that it does not', async () => {
    const { body, settings } = await ask(said({ content: '{}' }), {}, full);
    expect(body).toMatchObject({
      model: 'asked',
      user: 'u1',
      max_completion_tokens: 7,
      temperature: 0.5,
      seed: 3,
      messages: [{ role: 'system', content: 'Be short.' }, { role: 'user' }],
      response_format: { type: 'json_schema', json_schema: { name: 'a_verdict_', strict: true } },
    });
    expect(settings).toMatchObject({ maxRetries: 0, headers: { 'Idempotency-Key': 'k1' } });
    expect(Object.keys((await ask(said({ content: 'hi' }), {})).body).sort()).toEqual([
      'messages',
      'model',
    ]);
  });

  it('sends the limit of tokens by the name that the server takes', async () => {
    const { body } = await ask(said({ content: '{}' }), { tokenLimit: 'max_tokens' }, full);
    expect(body).toMatchObject({ max_tokens: 7 });
  });

  const cached = { prompt_tokens_details: { cached_tokens: 3 } };
  const chatUsage = { prompt_tokens: 4, completion_tokens: 2, ...cached };
  it.each([
    [said({ content: null }, { finish_reason: 'tool_calls' }), { finish: 'tool-calls' }],
    [said({ content: 'x' }, { finish_reason: null }), { finish: 'stop' }],
    [said({ content: 'x', reasoning_content: 'thought' }), { reasoning: 'thought' }],
    [said({ content: 'x', reasoning: 'thought' }), { reasoning: 'thought' }],
    [{ choices: [{ message: { content: 'x' } }], model: '' }, { model: 'openai:asked' }],
    [
      { ...said({ content: 'x' }), usage: chatUsage },
      { usage: { inputTokens: 4, outputTokens: 2, cachedInputTokens: 3 } },
    ],
    [{ ...said({ content: 'x' }), usage: 'many' }, { usage: {} }],
  ])('reads %j', async (answer, expected) => {
    expect((await ask(answer, {})).result).toMatchObject(expected);
  });

  const ends = [
    ...['end', 'eos', 'STOP', 'end_turn'].map((word) => [word, 'stop'] as const),
    ...['model_length', 'MAX_TOKENS'].map((word) => [word, 'length'] as const),
    ...[['SAFETY', 'content-filter'] as const, ['abort', 'other'] as const],
  ] as const;
  it.each(ends)(
    'reads the end %s as %s, and keeps the word [R3-049, R3-050]',
    async (word, finish) => {
      const { result } = await ask(said({ content: 'x' }, { finish_reason: word }), {});
      expect(result).toMatchObject({ finish, finishReason: word });
    },
  );

  it('reads a content of parts, without what the model thought [R3-048]', async () => {
    const content = [
      { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] },
      { type: 'text', text: '{"a":' },
      { type: 'text', text: '1}' },
    ];
    expect((await ask(said({ content }), {}, { schema })).result).toMatchObject({
      text: '{"a":1}',
      object: { a: 1 },
    });
  });

  it.each([
    [{ message: 'too many', code: '429' }, 'provider_rate_limited', true, 'too many'],
    [{ message: 'slow down', type: 'rate_limit_error' }, 'provider_rate_limited', true, 'slow'],
    [{ message: 'wrong key', code: '401' }, 'provider_unauthorized', false, 'wrong key'],
    [{ message: 'busy', type: 'overloaded_error' }, 'provider_unavailable', true, 'busy'],
    ['no such model', 'provider_refused_request', false, 'no such model'],
    [{ message: 'odd', code: 7 }, 'provider_refused_request', false, 'odd'],
  ])(
    'an error %j in a response of status 200 is %s [R3-047]',
    async (error, code, retryable, words) => {
      for (const api of ['chat', 'responses'] as const)
        await expect(ask({ error }, { api })).rejects.toMatchObject({
          ...{ code, retryable },
          message: expect.stringContaining(words),
        });
    },
  );

  it('names what is wrong with a response, without its schema [R3-047]', async () => {
    await expect(ask(said({ content: 5 }), {})).rejects.toMatchObject({
      code: 'provider_malformed',
      message: expect.stringMatching(/cannot be read: choices\.0\.message\.content: Invalid input/),
    });
  });

  it('never takes an answer without a choice for one', async () => {
    await expect(ask({ choices: [] }, {})).rejects.toMatchObject({ code: 'provider_malformed' });
  });
});

describe('openaiProvider, responses', () => {
  const api = 'responses' as const;

  it('sends what the request says, keeps nothing at the service, and says what it left out', async () => {
    const { body, result } = await ask(responded({}), { api }, full);
    expect(body).toMatchObject({
      store: false,
      user: 'u1',
      instructions: 'Be short.',
      max_output_tokens: 7,
      temperature: 0.5,
      text: { format: { type: 'json_schema', name: 'a_verdict_', strict: true } },
    });
    expect(result.warnings).toEqual(['seed is not supported and was left out']);
    expect(
      (await ask(responded({}), { api, structured: 'json' }, { schema })).body['text'],
    ).toEqual({ format: { type: 'json_object' } });
    expect(
      Object.keys(
        (await ask(responded({}), { api, structured: 'prompt' }, { schema })).body,
      ).sort(),
    ).toEqual(['input', 'instructions', 'model', 'store']);
  });

  const summary = [{ type: 'summary_text', text: 'thought' }, { type: 'other' }];
  const thought = { type: 'reasoning', summary };
  const content = [{ type: 'output_text' }, { type: 'output_text', text: 'fine' }];
  const fine = { type: 'message', content };
  it.each([
    [responded({ status: 'incomplete' }), { finish: 'other' }],
    [responded({ status: 'queued' }), { finish: 'other' }],
    [responded({ status: undefined }), { finish: 'stop' }],
    [responded({}, [{ type: 'function_call' }]), { finish: 'tool-calls', text: '' }],
    [responded({}, [thought, fine]), { reasoning: 'thought\n', text: 'fine' }],
    [
      responded({
        model: null,
        usage: { input_tokens: 4, output_tokens: 2, input_tokens_details: { cached_tokens: 1 } },
      }),
      { model: 'openai:asked', usage: { inputTokens: 4, cachedInputTokens: 1 } },
    ],
  ])('reads %j', async (answer, expected) => {
    expect((await ask(answer, { api })).result).toMatchObject(expected);
  });

  const slow = { code: 'rate_limit_exceeded', message: 'slow down' };
  it.each([
    [{ status: 'completed' }, 'provider_malformed', true],
    [responded({ status: 'failed', error: slow }), 'provider_rate_limited', true],
    [responded({ status: 'failed' }), 'provider_unavailable', true],
  ])('never takes %j for an answer', async (answer, code, retryable) => {
    await expect(ask(answer, { api })).rejects.toMatchObject({ code, retryable });
  });

  it('refuses a client without that interface, and options that contradict each other', async () => {
    const chat = { completions: { create: async () => ({}) } };
    await expect(
      openaiProvider({ model: 'm', api, client: { chat } }).generate(request()),
    ).rejects.toMatchObject({ code: 'invalid_options' });
    for (const wrong of [
      { api: 'batch' },
      { structured: 'yes' },
      { tokenLimit: 'tokens' },
      { client: { chat }, apiKey: 'k' },
      { apiKey: '' },
      { baseURL: 'file:///tmp' },
      { model: '' },
      { retries: 2 },
    ])
      expect(
        () => openaiProvider({ model: 'm', ...wrong } as OpenAIOptions),
        JSON.stringify(wrong),
      ).toThrow(/^(?:expected `|unknown option|`?openaiProvider)/i);
  });
});
