import { describe, expect, it } from 'vitest';
import {
  type AiSdkModel,
  type AiSdkOptions,
  aiSdkProvider,
} from '@/adapters/providers/ai-sdk/ai-sdk-provider.js';
import type { LLMRequest, LLMResult } from '@/core/llm-provider.js';

/** Calls the provider over a model that gives one answer, and returns what the model was asked. */
async function ask(
  answer: object,
  options: AiSdkOptions = {},
  more: Partial<LLMRequest> = {},
  about: object = {},
): Promise<{ readonly result: LLMResult; readonly asked: Record<string, unknown> }> {
  let asked: Record<string, unknown> = {};
  const model: AiSdkModel = {
    specificationVersion: 'v3',
    provider: 'vendor.chat',
    modelId: 'asked',
    ...about,
    doGenerate: async (given: never) => {
      asked = given;
      return answer;
    },
  };
  const result = await aiSdkProvider(model, options).generate({
    messages: [{ role: 'user', content: 'Is it fine?' }],
    signal: new AbortController().signal,
    ...more,
  });
  return { result, asked };
}

const said = (more: object = {}): object => ({
  content: [{ type: 'text', text: 'fine' }],
  finishReason: 'stop',
  ...more,
});

describe('aiSdkProvider', () => {
  it('sends what the request says, and nothing that it does not', async () => {
    const schema = { type: 'object' };
    const { asked } = await ask(
      said(),
      {},
      {
        system: 'Be short.',
        schema,
        maxOutputTokens: 7,
        temperature: 0.5,
        seed: 3,
        providerOptions: { vendor: { a: 1 } },
        idempotencyKey: 'k1',
      },
    );
    expect(asked).toMatchObject({
      prompt: [
        { role: 'system', content: 'Be short.' },
        { role: 'user', content: [{ type: 'text', text: 'Is it fine?' }] },
      ],
      responseFormat: { type: 'json', name: 'answer', schema },
      maxOutputTokens: 7,
      temperature: 0.5,
      seed: 3,
      providerOptions: { vendor: { a: 1 } },
      headers: { 'Idempotency-Key': 'k1' },
    });
    expect(Object.keys((await ask(said())).asked).sort()).toEqual(['abortSignal', 'prompt']);
  });

  it('tells the schema in the prompt where the model cannot be held to it', async () => {
    const schema = { type: 'object' };
    const json = await ask(said(), {}, { schema }, { supportsStructuredOutputs: false });
    expect([json.asked['responseFormat'], JSON.stringify(json.asked['prompt'])]).toEqual([
      { type: 'json', name: 'answer' },
      expect.stringContaining('JSON Schema'),
    ]);
    expect(
      (await ask(said(), { structured: 'prompt' }, { schema })).asked['responseFormat'],
    ).toBeUndefined();
  });

  it.each([
    [said({ finishReason: { unified: 'length', raw: 'max_tokens' } }), { finish: 'length' }],
    [said({ finishReason: 'odd' }), { finish: 'other' }],
    [said({ finishReason: undefined }), { finish: 'other' }],
    [said({ structuredOutputText: '{}' }), { text: '{}' }],
    [
      said({ content: [{ type: 'reasoning', text: 'thought' }, { type: 'text' }] }),
      { text: '', reasoning: 'thought' },
    ],
    [said({ response: { modelId: 'served' } }), { model: 'served' }],
    [said({ response: { modelId: '' } }), { model: 'asked' }],
    [
      said({ usage: { inputTokens: { total: 4, cacheRead: 3 }, outputTokens: { total: 2 } } }),
      { usage: { inputTokens: 4, outputTokens: 2, cachedInputTokens: 3 } },
    ],
    [
      said({ usage: { inputTokens: 4, outputTokens: 2, totalTokens: 6 } }),
      { usage: { inputTokens: 4, totalTokens: 6 } },
    ],
    [said({ usage: 'many' }), { usage: {} }],
    [
      said({
        warnings: [
          { type: 'other', message: 'careful' },
          { type: 'unsupported', feature: 'seed', details: 'left out' },
          { type: 'unsupported-setting', setting: 'topK' },
        ],
      }),
      { warnings: ['careful', 'unsupported: seed: left out', 'unsupported-setting: topK'] },
    ],
  ])('reads %j', async (answer, expected) => {
    expect((await ask(answer)).result).toMatchObject(expected);
  });

  it.each([
    [{ text: 'fine' }, 'provider_malformed'],
    [said({ finishReason: { unified: 'other', raw: 'refusal' } }), 'answer_refused'],
    [
      said({ response: { body: { choices: [{ message: { refusal: 'No.' } }, {}] } } }),
      'answer_refused',
    ],
    [
      said({ response: { body: { output: [{}, { content: [{ refusal: 'No.' }] }] } } }),
      'answer_refused',
    ],
  ])('never takes %j for an answer', async (answer, code) => {
    await expect(ask(answer)).rejects.toMatchObject({ code });
  });

  it('refuses what is no model, and a model of another time', () => {
    for (const wrong of [
      'openai/gpt',
      null,
      { doGenerate: 7 },
      { doGenerate: async () => ({}), specificationVersion: 'v1' },
    ])
      expect(() => aiSdkProvider(wrong as never)).toThrow(/^expected `model/);
  });
});
