import { expect, it } from 'vitest';
import { claudeCommand } from '@/adapters/providers/cli/claude-command.js';
import { cliProvider } from '@/adapters/providers/cli/cli-provider.js';
import { codexCommand } from '@/adapters/providers/cli/codex-command.js';
import { deepworkCommand } from '@/adapters/providers/cli/deepwork-cli.js';
import type { LLMProvider, LLMRequest } from '@/core/llm-provider.js';
import { describeCli } from '../support/cli-binaries.js';
import { expectCode } from '../support/matchers.js';
import { type StreamMode, type StreamServer, streamServer } from '../support/stream-server.js';
import { fileFolder } from '../support/temp-folder.js';

const schema = {
  type: 'object',
  properties: { verdict: { type: 'string' } },
  required: ['verdict'],
  additionalProperties: false,
};
const key = 'test-key-0123456789abcdef';
const home = fileFolder('cli-home');

const request = (more: Partial<LLMRequest> = {}): LLMRequest => ({
  system: 'You judge.',
  messages: [{ role: 'user', content: 'Is it fine?' }],
  signal: new AbortController().signal,
  ...more,
});

/** A provider against a server of its own, for one question. */
async function asked<Value>(
  service: 'anthropic' | 'openai',
  mode: StreamMode,
  use: (url: string, server: StreamServer) => Promise<Value>,
): Promise<Value> {
  const server = await streamServer(service, mode);
  try {
    return await use(server.url, server);
  } finally {
    await server.close();
  }
}

const codes = [
  [401, 'provider_unauthorized'],
  [400, 'provider_refused_request'],
  [429, 'provider_rate_limited'],
] as const;

describeCli('claude', (executable) => {
  const provider = (
    url: string,
    more: { readonly maxRetries?: number; readonly timeoutMs?: number } = {},
  ): LLMProvider =>
    cliProvider({
      command: claudeCommand({ executable, auth: 'key', maxRetries: more.maxRetries }),
      model: 'claude-sonnet-5-5',
      env: { HOME: home, ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: url },
      timeoutMs: more.timeoutMs,
    });

  it('gives a structured answer with usage and cost', async () => {
    await asked('anthropic', 'answer', async (url, server) => {
      const result = await provider(url).generate(request({ schema }));
      expect(result).toMatchObject({
        object: { verdict: 'pass' },
        finish: 'stop',
        usage: { inputTokens: 11, outputTokens: 7, costUsd: expect.any(Number) },
        model: 'claude-sonnet-5-5',
        attempts: 1,
      });
      expect(server.seen[0]?.key).toBe(key);
      expect(JSON.stringify(server.seen[0]?.body['system'])).toContain('You judge.');
    });
  });

  it('gives a text', async () => {
    await asked('anthropic', 'answer', async (url) =>
      expect(await provider(url).generate(request())).toMatchObject({
        text: 'It is fine.',
        finish: 'stop',
      }),
    );
  });

  it('tells an answer that was cut off, and a refusal', async () => {
    await asked('anthropic', 'length', async (url) =>
      expect(await provider(url).generate(request())).toMatchObject({ finish: 'length' }),
    );
    await asked('anthropic', 'refusal', async (url) =>
      expect(provider(url).generate(request())).rejects.toMatchObject({ code: 'answer_refused' }),
    );
  });

  it('is asked again when the structured output is missing, and then fails', async () => {
    await asked('anthropic', 'no-structure', async (url) => {
      await expect(provider(url).generate(request({ schema }))).rejects.toMatchObject({
        code: 'answer_unreadable',
        retryable: true,
      });
    });
  });

  it.each(codes)('takes status %d for %s, at once', async (status, code) => {
    await asked('anthropic', status, async (url) =>
      expect(provider(url).generate(request())).rejects.toMatchObject({ code }),
    );
  });

  it('is ended by our timeout when it tries a bad key for ever', async () => {
    await asked('anthropic', 401, async (url) => {
      await expectCode(
        provider(url, { maxRetries: 10, timeoutMs: 4000 }).generate(request()),
        'provider_timeout',
      );
    });
  });

  it('can be left while the service is silent', async () => {
    await asked('anthropic', 'silence', async (url, server) => {
      const controller = new AbortController();
      const call = provider(url).generate(request({ signal: controller.signal }));
      const failed = expect(call).rejects.toMatchObject({ code: 'cancelled' });
      await expect.poll(() => server.seen.length, { timeout: 280_000 }).toBeGreaterThan(0);
      controller.abort();
      await failed;
    });
  });

  it('answers the exact call of DeepWork, JOBS-REQ-009.2.1', async () => {
    await asked('anthropic', 'answer', async (url) => {
      const command = { ...deepworkCommand(), executable };
      const deepwork = cliProvider({
        command,
        env: { HOME: home, ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: url },
      });
      expect(await deepwork.generate(request({ schema }))).toMatchObject({
        object: { verdict: 'pass' },
        finish: 'stop',
      });
    });
  });
});

describeCli('codex', (executable) => {
  const provider = (url: string): LLMProvider => {
    const service = `model_providers.loop={name="loop",base_url="${url}/v1",env_key="LOOP_KEY",wire_api="responses",request_max_retries=0,stream_max_retries=0}`;
    const command = codexCommand({
      executable,
      args: ['-c', 'model_provider="loop"', '-c', service],
    });
    return cliProvider({
      command,
      model: 'gpt-5.5',
      env: { HOME: home, CODEX_HOME: home, LOOP_KEY: key },
    });
  };

  it('gives a structured answer with usage', async () => {
    await asked('openai', 'answer', async (url, server) => {
      const result = await provider(url).generate(request({ schema }));
      expect(result).toMatchObject({
        object: { verdict: 'pass' },
        finish: 'stop',
        usage: { inputTokens: 11, outputTokens: 7, cachedInputTokens: 3 },
        attempts: 1,
      });
      expect(server.seen[0]?.key).toBe(`Bearer ${key}`);
      expect(server.seen[0]?.body['text']).toMatchObject({
        format: { type: 'json_schema', strict: true, schema },
      });
    });
  });

  it('tells an answer that was cut off', async () => {
    await asked('openai', 'length', async (url) =>
      expect(await provider(url).generate(request())).toMatchObject({ finish: 'length' }),
    );
  });

  it('is asked again when the structured output is missing, and then fails', async () => {
    await asked('openai', 'no-structure', async (url, server) => {
      await expect(provider(url).generate(request({ schema }))).rejects.toMatchObject({
        code: 'answer_unreadable',
        retryable: true,
      });
      expect(server.seen.length).toBe(3);
    });
  });

  it.each(codes)('takes status %d for %s', async (status, code) => {
    await asked('openai', status, async (url) =>
      expect(provider(url).generate(request())).rejects.toMatchObject({ code }),
    );
  });

  it('takes status 500 for something that passes', async () => {
    await asked('openai', 500, async (url) =>
      expect(provider(url).generate(request())).rejects.toMatchObject({
        code: 'provider_unavailable',
        retryable: true,
      }),
    );
  });
});

it('a program that is not there is an error that names it', async () => {
  await expectCode(
    cliProvider({ command: claudeCommand({ executable: 'no-such-claude' }) }).generate(request()),
    'process_not_found',
  );
});
