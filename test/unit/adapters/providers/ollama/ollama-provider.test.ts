import { afterEach, describe, expect, it, vi } from 'vitest';
import { ollamaProvider } from '@/adapters/providers/ollama/index.js';
import type { LLMRequest } from '@/core/llm-provider.js';

afterEach(() => void vi.unstubAllGlobals());

const request: LLMRequest = {
  messages: [{ role: 'user', content: 'Is it fine?' }],
  signal: new AbortController().signal,
};

/** Answers every `fetch` with a body, and keeps what was sent. */
function serve(body: string, status = 200): { readonly bodies: unknown[] } {
  const bodies: unknown[] = [];
  vi.stubGlobal('fetch', async (_: URL, init: RequestInit) => {
    bodies.push(JSON.parse(String(init.body)));
    return new Response(body, { status });
  });
  return { bodies };
}

describe('ollamaProvider', () => {
  it('sends what the request says, options of the caller first', async () => {
    const { bodies } = serve('{"message": {"content": "{}"}}');
    const schema = { type: 'object' };
    await ollamaProvider({ model: 'm', contextTokens: 100 }).generate({
      ...request,
      system: 's',
      schema,
      maxOutputTokens: 7,
      temperature: 0,
      seed: 1,
      providerOptions: { keep_alive: '1m', options: { top_k: 2, seed: 9 } },
    });
    await ollamaProvider({ model: 'm' }).generate({
      ...request,
      system: '',
      providerOptions: { options: 'odd' },
    });
    const whole = { truncate: false, shift: false };
    expect(bodies).toEqual([
      {
        ...whole,
        keep_alive: '1m',
        model: 'm',
        stream: false,
        messages: [{ role: 'system', content: 's' }, ...request.messages],
        format: schema,
        options: { top_k: 2, seed: 1, num_ctx: 100, num_predict: 7, temperature: 0 },
      },
      { ...whole, model: 'm', stream: false, messages: request.messages, options: {} },
    ]);
  });

  it.each([
    [
      '{"message": {"content": "x", "thinking": "thought"}, "model": "served"}',
      { text: 'x', finish: 'stop', reasoning: 'thought', model: 'served' },
    ],
    [
      '{"message": {"content": "x"}, "model": "", "done": true, "done_reason": "length"}',
      { finish: 'length', model: 'ollama:m' },
    ],
    ['{"message": {"content": "x"}, "done": true, "done_reason": "load"}', { finish: 'other' }],
    ['{"message": {"content": "x"}, "done": false}', { finish: 'other' }],
    [
      '{"message": {"content": "x"}, "prompt_eval_count": "4", "eval_count": 2}',
      { usage: { outputTokens: 2 } },
    ],
  ])('reads %s', async (body, expected) => {
    serve(body);
    expect(await ollamaProvider({ model: 'm' }).generate(request)).toMatchObject(expected);
  });

  it.each([
    [
      '{"error": "model not found"}',
      404,
      {
        code: 'provider_refused_request',
        message: expect.stringContaining(': model not found') as unknown,
      },
    ],
    [
      '<html>busy</html>',
      503,
      {
        code: 'provider_unavailable',
        retryable: true,
        message: expect.stringContaining('busy') as unknown,
      },
    ],
    ['{"response": "x"}', 200, { code: 'provider_malformed' }],
    ['nonsense', 200, { code: 'provider_malformed' }],
  ])('never takes %s with status %i for an answer', async (body, status, expected) => {
    serve(body, status);
    await expect(ollamaProvider({ model: 'm' }).generate(request)).rejects.toMatchObject(expected);
  });

  it('refuses a context without room', () => {
    expect(() => ollamaProvider({ model: 'm', contextTokens: 0 })).toThrow('contextTokens');
  });
});
