import { describe, expect, it } from 'vitest';
import type { AnthropicOptions } from '@/adapters/providers/anthropic/anthropic-provider.js';
import { anthropicProvider } from '@/adapters/providers/anthropic/index.js';
import type { LLMRequest, LLMResult } from '@/core/llm-provider.js';
import { errorWith } from '../../../../support/matchers.js';

async function ask(
  answer: unknown,
  options: Partial<AnthropicOptions> = {},
  more: Partial<LLMRequest> = {},
): Promise<{ readonly result: LLMResult; readonly body: Record<string, unknown> }> {
  let body: Record<string, unknown> = {};
  const messages = {
    create: async (given: never) => {
      body = given;
      return answer;
    },
  };
  const provider = anthropicProvider({ model: 'asked', client: { messages }, ...options });
  return {
    result: await provider.generate({
      messages: [{ role: 'user', content: 'Is it fine?' }],
      signal: new AbortController().signal,
      ...more,
    }),
    body,
  };
}

const text = (more: object = {}): object => ({
  id: 'm1',
  model: 'served',
  stop_reason: 'end_turn',
  content: [{ type: 'text', text: 'fine' }],
  ...more,
});
const mark = { cache_control: { type: 'ephemeral' } };

describe('anthropicProvider', () => {
  it('sends what the request says, and marks the system text for the cache', async () => {
    const schema = { type: 'object' };
    const { body, result } = await ask(
      text(),
      {},
      {
        system: 'Be short.',
        schema,
        temperature: 0.5,
        seed: 3,
        maxOutputTokens: 7,
        providerOptions: { output_config: { effort: 'low' }, top_k: 2 },
      },
    );
    expect(body).toEqual({
      model: 'asked',
      max_tokens: 7,
      top_k: 2,
      temperature: 0.5,
      system: [{ type: 'text', text: 'Be short.', ...mark }],
      messages: [{ role: 'user', content: 'Is it fine?' }],
      output_config: { effort: 'low', format: { type: 'json_schema', schema } },
    });
    expect(result.warnings).toEqual(['seed is not supported and was left out']);
  });

  it('leaves the mark out where it is not wanted, and marks the last shared message where it is', async () => {
    const messages = [
      { role: 'user', content: 'shared' },
      { role: 'user', content: 'own' },
    ] as const;
    const { body } = await ask(
      text(),
      { cacheSystem: false, maxOutputTokens: 50 },
      { system: 's', messages, cacheHint: 'prefix' },
    );
    expect(body).toEqual({
      model: 'asked',
      max_tokens: 50,
      system: [{ type: 'text', text: 's' }],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'shared', ...mark }] },
        messages[1],
      ],
    });
    expect(
      (await ask(text(), {}, { schema: {}, providerOptions: { output_config: 'odd' } })).body[
        'output_config'
      ],
    ).toEqual({ format: { type: 'json_schema', schema: {} } });
  });

  const thoughts = [{ type: 'thinking', thinking: 'thought' }, { type: 'thinking' }];
  const cached = { cache_read_input_tokens: 10, cache_creation_input_tokens: 1 };
  it.each([
    [text({ stop_reason: 'model_context_window_exceeded' }), { finish: 'length' }],
    [text({ stop_reason: 'tool_use' }), { finish: 'tool-calls' }],
    [text({ stop_reason: null }), { finish: 'other' }],
    [
      text({ model: '', content: [...thoughts, { type: 'text' }, { type: 'text', text: 'fine' }] }),
      { text: 'fine', reasoning: 'thought', model: 'anthropic:asked' },
    ],
    [
      text({ usage: { input_tokens: 4, output_tokens: 2, ...cached } }),
      { usage: { inputTokens: 15, outputTokens: 2, cachedInputTokens: 10 } },
    ],
    [text({ usage: { output_tokens: 2 } }), { usage: { outputTokens: 2 } }],
  ])('reads %j', async (answer, expected) => {
    expect((await ask(answer)).result).toMatchObject(expected);
  });

  it.each([
    ['fine', {}],
    ['cyber: no', { stop_details: { category: 'cyber', explanation: 'no' } }],
  ])('a refusal is never an answer, and says %s', async (words, details) => {
    const refused = errorWith('answer_refused', words);
    await expect(ask(text({ stop_reason: 'refusal', ...details }))).rejects.toMatchObject(refused);
  });

  it('refuses options that contradict each other', () => {
    const client = { messages: { create: async () => ({}) } };
    for (const wrong of [
      { client, apiKey: 'k' },
      { client, baseURL: 'http://127.0.0.1' },
      { maxOutputTokens: 0 },
      { apiKey: ' ' },
    ])
      expect(() => anthropicProvider({ model: 'm', ...wrong }), JSON.stringify(wrong)).toThrow(
        /^expected `/,
      );
  });
});
