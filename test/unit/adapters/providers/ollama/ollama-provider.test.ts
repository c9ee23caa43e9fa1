import { afterEach, describe, expect, it, vi } from 'vitest';
import { ollamaProvider } from '@/adapters/providers/ollama/index.js';
import type { LLMRequest } from '@/core/llm-provider.js';

afterEach(() => void vi.unstubAllGlobals());

const request: LLMRequest = {
  messages: [{ role: 'user', content: 'Is it fine?' }],
  signal: new AbortController().signal,
};

/** Answers every `fetch` with a body, and keeps what was sent. */
function serve(body: string): { readonly bodies: unknown[] } {
  const bodies: unknown[] = [];
  vi.stubGlobal('fetch', async (_: URL, init: RequestInit) => {
    bodies.push(JSON.parse(String(init.body)));
    return new Response(body);
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

  it('never takes another protocol for an answer', async () => {
    serve('{"response": "x"}');
    const asked = ollamaProvider({ model: 'm' }).generate(request);
    await expect(asked).rejects.toMatchObject({ code: 'provider_malformed' });
  });

  it('refuses a context without room', () => {
    expect(() => ollamaProvider({ model: 'm', contextTokens: 0 })).toThrow('contextTokens');
  });
});
