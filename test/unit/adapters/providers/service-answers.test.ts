import { afterEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { aiSdkProvider } from '@/adapters/providers/ai-sdk/ai-sdk-provider.js';
import { anthropicProvider } from '@/adapters/providers/anthropic/index.js';
import { readClaude } from '@/adapters/providers/cli/claude-command.js';
import type { CliAnswer, CliCall, CliOutput } from '@/adapters/providers/cli/cli-command.js';
import { readCodex } from '@/adapters/providers/cli/codex-command.js';
import { ollamaProvider } from '@/adapters/providers/ollama/index.js';
import { openaiProvider } from '@/adapters/providers/openai/index.js';
import { schemaRefusedBy } from '@/adapters/providers/shared/service-client.js';
import { askModel } from '@/blocks/models/index.js';
import type { LLMProvider } from '@/core/llm-provider.js';
import type { ServedAnswer } from '@/testing/served-provider-contract.js';
import { models } from '../../../support/ai-sdk-models.mjs';
import {
  anthropicProtocol,
  chatProtocol,
  ollamaProtocol,
  type Protocol,
  responsesProtocol,
} from '../../../support/model-server.js';

afterEach(() => void vi.unstubAllGlobals());

/** The one value of each cause: the code, and whether the call is made again. */
const values = {
  complete: ['answer', false],
  'cut off': ['answer_truncated', false],
  filtered: ['answer_filtered', false],
  refused: ['answer_refused', false],
  empty: ['answer_empty', true],
  'wrong key': ['provider_unauthorized', false],
  'account used up': ['provider_refused_request', false],
  'too many calls': ['provider_rate_limited', true],
  'unknown model': ['provider_refused_request', false],
  'prompt too long': ['view_truncated', false],
  'text filtered': ['answer_filtered', false],
  'schema not supported': ['provider_refused_request', false],
  'service overloaded or down': ['provider_unavailable', true],
  unreachable: ['provider_unavailable', true],
  'timed out': ['provider_timeout', true],
  'not the protocol': ['provider_malformed', true],
} as const;
type Cause = keyof typeof values;

const secret = 'sk-test-0123456789abcdefghijklmnop';

/** What a service was seen to say, at the thread or page that shows it: status, words, code. */
type Said = readonly [status: number, words: string, code?: string];
/** `none`: the service has no such answer. A cause that is left out was recorded by nobody. */
type Row = Partial<Record<Cause, readonly Said[] | 'none'>>;

// errors of platform.openai.com/docs/guides/error-codes, xtekky/gpt4free#137, midscene#259,
// idootop/mi-gpt#142; of services with its protocol: DeepSeek, Groq, Azure, llama.cpp
const openai: Row = {
  'wrong key': [
    [401, `Incorrect API key provided: ${secret}. You can find your API key`, 'invalid_api_key'],
    [403, 'Country, region, or territory not supported', 'unsupported_country_region_territory'],
  ],
  'account used up': [
    [429, 'You exceeded your current quota, please check your plan', 'insufficient_quota'],
  ],
  'too many calls': [
    [429, 'Rate limit reached for gpt-4o on tokens per min (TPM). Please try again in 2s.'],
    [429, 'Quota exceeded for requests per minute'],
    [498, 'flex tier capacity exceeded'],
  ],
  'unknown model': [
    [404, 'The model `x` does not exist or you do not have access to it.', 'model_not_found'],
    [403, 'Project `p` does not have access to model `x`', 'model_not_found'],
    [400, 'Model Not Exist', 'invalid_request_error'],
  ],
  'prompt too long': [
    [400, "This model's maximum context length is 4097 tokens.", 'context_length_exceeded'],
    [400, 'the request exceeds the available context size, try increasing it'],
    [413, 'Request Entity Too Large'],
  ],
  'text filtered': [
    [400, "The response was filtered due to Azure OpenAI's management policy.", 'content_filter'],
  ],
  'schema not supported': [
    [400, "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this"],
    [400, "Invalid parameter: 'response_format' of type 'json_object' is not supported with this"],
    [400, 'This response_format type is unavailable now', 'invalid_request_error'],
    [400, 'This model does not support response format `json_schema`. See supported models'],
    [400, "Invalid schema for response_format 'answer': In context=(), 'allOf' is not permitted."],
  ],
  'service overloaded or down': [
    [503, 'The server is currently overloaded with other requests.', 'server_error'],
    [500, 'The server had an error while processing your request. Sorry about that!'],
    [503, 'the billing service is down'],
  ],
};

// docs.claude.com/en/api/errors; anthropic-sdk-csharp#132, claude-code#51084
const anthropic: Row = {
  filtered: 'none',
  'text filtered': 'none',
  'wrong key': [
    [401, 'invalid x-api-key', 'authentication_error'],
    [403, 'Your API key does not have permission to use the resource.', 'permission_error'],
  ],
  'account used up': [
    [400, 'Your credit balance is too low to access the Anthropic API.', 'invalid_request_error'],
    [402, 'Your account has a billing problem.', 'billing_error'],
  ],
  'too many calls': [[429, 'This request would exceed the rate limit', 'rate_limit_error']],
  'unknown model': [
    [404, 'model: claude-x', 'not_found_error'],
    [404, "model 'claude-x' not found", 'not_found_error'],
  ],
  'prompt too long': [
    [400, 'prompt is too long: 210000 tokens > 200000 maximum', 'invalid_request_error'],
    [413, 'Request exceeds the maximum size', 'request_too_large'],
  ],
  'schema not supported': [
    [400, 'output_config: Extra inputs are not permitted', 'invalid_request_error'],
    [400, 'output_config.format: Extra inputs are not permitted', 'invalid_request_error'],
  ],
  'service overloaded or down': [
    [529, 'Overloaded', 'overloaded_error'],
    [500, 'Internal server error', 'api_error'],
  ],
};

// ollama#8126, ollama#12422, ollama/docs/api.md
const ollama: Row = {
  refused: 'none',
  filtered: 'none',
  'text filtered': 'none',
  'unknown model': [
    [404, "model 'x' not found"],
    [404, 'model "x" not found, try pulling it first'],
  ],
  'prompt too long': [[400, 'the input length exceeds the context length']],
  'schema not supported': [
    [400, 'invalid format: expected "json" or a JSON schema'],
    [500, 'failed to load model vocabulary required for format'],
  ],
  'service overloaded or down': [[503, 'server busy, please try again. maximum pending requests']],
};

// claude-code#50439, #38725, its page of errors; status 0: told in words only
const claude: Row = {
  filtered: 'none',
  'timed out': 'none',
  'text filtered': 'none',
  'wrong key': [
    [0, 'Invalid API key · Please run /login'],
    [401, 'OAuth token has expired. Please obtain a new token'],
  ],
  'account used up': [
    [0, "You've hit your limit · resets 3:20pm (Europe/Berlin)"],
    [0, "You've hit your weekly limit · resets Jul 18, 12pm (UTC)"],
    [0, 'Credit balance is too low'],
  ],
  'too many calls': [
    [0, 'API Error: Server is temporarily limiting requests (not your usage limit)'],
    [429, 'API Error: 429 rate_limit_error'],
  ],
  'unknown model': [
    [
      0,
      "There's an issue with the selected model (x). It may not exist or you may not have access",
    ],
  ],
  'prompt too long': [[0, 'Prompt is too long']],
  'service overloaded or down': [
    [0, 'API Error: 529 Overloaded. This is a server-side issue.'],
    [0, 'API Error: Repeated 529 Overloaded errors'],
  ],
  unreachable: [[0, 'API Error: Unable to connect to API (ENOTFOUND)']],
};

// openai/codex#6603, #19743, #7362, #25838
const codex: Row = {
  refused: 'none',
  'text filtered': 'none',
  'timed out': 'none',
  'wrong key': [
    [0, 'unexpected status 401 Unauthorized: You have insufficient permissions'],
    [0, 'Your authentication token has been revoked. Please log in again'],
    [0, 'exceeded retry limit, last status: 401 Unauthorized, request id: 9a57'],
  ],
  'account used up': [
    [0, "You've hit your usage limit. Upgrade to Pro, or try again in 3 days 5 hours 2 minutes."],
    [0, 'Quota exceeded. Check your plan and billing details.'],
  ],
  'too many calls': [[0, 'exceeded retry limit, last status: 429 Too Many Requests']],
  'unknown model': [
    [400, "The 'gpt-x' model is not supported when using Codex with a ChatGPT account."],
  ],
  'prompt too long': [[0, "Codex ran out of room in the model's context window."]],
  'schema not supported': [
    [
      400,
      "Invalid schema for response_format 'codex_output_schema': In context=(), 'oneOf' is not",
    ],
  ],
  'service overloaded or down': [[0, "We're currently experiencing high demand"]],
  unreachable: [[0, 'stream disconnected before completion: error sending request for url']],
};

interface Service {
  readonly rows: Row;
  readonly provider: (answer: string, status: number) => LLMProvider;
  readonly answer: (answer: Extract<ServedAnswer, { text: string }>) => string;
  readonly error: (said: Said) => string;
}

const over = (protocol: Protocol, rows: Row, make: () => LLMProvider): Service => ({
  rows,
  answer: (answer) => JSON.stringify(protocol.answer(answer)),
  error: ([status, words, code]) =>
    JSON.stringify(protocol.error(status, words)).replace(/"(?:error_)?\d{3}"/, `"${code}"`),
  provider: (body, status) => {
    vi.stubGlobal('fetch', async () => {
      if (status > 0)
        return new Response(body, { status, headers: { 'content-type': 'application/json' } });
      const cause = Object.assign(new Error(body), { code: body });
      throw new TypeError('fetch failed', { cause });
    });
    return make();
  },
});

const program = (
  rows: Row,
  read: (output: CliOutput, call: CliCall) => Promise<CliAnswer>,
  spoken: Pick<Service, 'answer' | 'error'>,
): Service => ({
  rows,
  ...spoken,
  provider: (stdout, status) => ({
    ...ollamaProvider({ model: 'm' }),
    generate: async (request) => {
      const place = { id: 'cli:x', secrets: [secret] };
      const output = { exitCode: status === 200 ? 0 : 1, stdout, stderr: '', place };
      const file = async () => undefined;
      const answer = await read({ ...output, file }, { request, folder: '', model: undefined });
      return { model: 'm', warnings: [], attempts: 1, ...answer };
    },
  }),
});

const lines = (...events: readonly object[]) => events.map((one) => JSON.stringify(one)).join('\n');
const fromClaude = (more: object) =>
  JSON.stringify({ type: 'result', subtype: 'success', is_error: false, ...more });

const base = { model: 'm', baseURL: 'http://127.0.0.1:9', apiKey: secret };
const sdk = (name: keyof typeof models) => () =>
  aiSdkProvider(models[name]!.make(base.baseURL, secret, 'm'), { secrets: [secret] });
const services: Readonly<Record<string, Service>> = {
  'openai, chat': over(chatProtocol, openai, () => openaiProvider(base)),
  'openai, responses': over(responsesProtocol, openai, () =>
    openaiProvider({ ...base, api: 'responses' }),
  ),
  'ai-sdk, compatible': over(chatProtocol, { ...openai, refused: 'none' }, sdk('compatible')),
  'ai-sdk, responses': over(responsesProtocol, openai, sdk('specification v4')),
  anthropic: over(anthropicProtocol, anthropic, () => anthropicProvider(base)),
  'ai-sdk, anthropic': over(anthropicProtocol, anthropic, sdk('Anthropic')),
  ollama: over(ollamaProtocol, { ...ollama, 'wrong key': 'none' }, () =>
    ollamaProvider({ model: 'm' }),
  ),
  claude: program(claude, readClaude, {
    error: ([status, result]) =>
      fromClaude({ is_error: true, result, api_error_status: status || null }),
    answer: ({ kind, text }) =>
      kind === 'length'
        ? fromClaude({
            is_error: true,
            result: "Claude's response exceeded the output token maximum",
          })
        : kind === 'refusal'
          ? fromClaude({ stop_reason: 'refusal', result: text })
          : fromClaude({ result: text, structured_output: text === '' ? undefined : { ok: true } }),
  }),
  codex: program(codex, readCodex, {
    error: ([status, words]) => {
      const message = status === 0 ? words : JSON.stringify({ error: { message: words } });
      return lines({ type: 'turn.failed', error: { message } });
    },
    answer: ({ kind, text }) =>
      kind === 'text'
        ? lines(
            { type: 'item.completed', item: { type: 'agent_message', text } },
            { type: 'turn.completed', usage: {} },
          )
        : lines({
            type: 'turn.failed',
            error: {
              message: `Incomplete response returned, reason: ${kind === 'length' ? 'max_output_tokens' : 'content_filter'}`,
            },
          }),
  }),
};

async function told(provider: LLMProvider) {
  const schema = z.object({ ok: z.boolean() });
  try {
    const { value } = await askModel({ provider, prompt: 'Is it?', schema, reasks: 0 });
    return { code: value.ok ? 'answer' : 'no answer', retryable: false, message: '' };
  } catch (error) {
    return error as { code: string; retryable: boolean; message: string };
  }
}

const answers = {
  complete: { kind: 'text', text: '{"ok":true}' },
  'cut off': { kind: 'length', text: '{"ok":tr' },
  filtered: { kind: 'content-filter', text: '' },
  refused: { kind: 'refusal', text: 'I will not judge this.' },
  empty: { kind: 'text', text: '' },
} as const;
const network = { unreachable: 'ECONNREFUSED', 'timed out': 'UND_ERR_HEADERS_TIMEOUT' } as const;

describe.each(Object.entries(services))(
  '%s [R3-045, R3-046, R3-051]',
  (name, { rows, provider, answer, error }) => {
    const isProgram = name === 'claude' || name === 'codex';
    for (const [cause, [code, retryable]] of Object.entries(values)) {
      const row = rows[cause as Cause];
      const title = `${cause} is ${code}, asked again: ${retryable}`;
      const given = answers[cause as keyof typeof answers];
      const failure = network[cause as keyof typeof network];
      if (row === 'none') continue;
      if (given !== undefined)
        it(title, async () => {
          expect(await told(provider(answer(given), 200))).toMatchObject({ code, retryable });
        });
      else if (cause === 'not the protocol')
        it(title, async () => {
          expect(await told(provider('<html>', 200))).toMatchObject({ code, retryable });
        });
      else if (failure !== undefined && !isProgram)
        it(title, async () => {
          expect(await told(provider(failure, 0))).toMatchObject({ code, retryable });
        });
      else if (row === undefined) it.todo(`${cause}: recorded by nobody`);
      else
        it.each(row.map((said) => [said]))(`${title}: %j`, async (said) => {
          const fault = await told(provider(error(said), said[0] || 500));
          expect(fault).toMatchObject({ code, retryable });
          const words = said[1].replace(secret, '[REDACTED:key]');
          expect(fault.message).toContain(words);
          expect(fault.message).not.toMatch(/[\n\r]|"error":/);
          expect(fault.message.length).toBeLessThan(800);
        });
    }
  },
);

describe('a service that refuses the schema', () => {
  const schema = { type: 'object', properties: { ok: { type: 'boolean' } } };
  const question = { messages: [{ role: 'user' as const, content: 'Is it?' }], schema };
  const ask = (provider: LLMProvider) =>
    provider.generate({ ...question, signal: new AbortController().signal });

  /** Serves answers one after the other, the last one for ever, and returns what it was asked. */
  function serve(...given: readonly (readonly [status: number, body: string])[]): string[] {
    const asked: string[] = [];
    vi.stubGlobal('fetch', async (_: unknown, { body }: RequestInit) => {
      asked.push(String(body));
      const [status, text] = given[Math.min(asked.length, given.length) - 1] ?? [500, ''];
      return new Response(text, { status, headers: { 'content-type': 'application/json' } });
    });
    return asked;
  }
  const isStrict = (body: string) => /response_format|output_config|"format":|"tools":/.test(body);
  const refusing = Object.entries(services).flatMap(([name, service]) => {
    const row = service.rows['schema not supported'];
    const provider = () => service.provider('', 200);
    const { answer, error } = service;
    if (typeof row !== 'object' || name === 'codex') return [];
    const [said = [400, ''] as const] = row;
    return [{ name, provider, refusal: [said[0], error(said)] as const, answer }];
  });

  it.each(refusing)('$name: is asked by the prompt from then on, and says it once', async (one) => {
    const provider = one.provider();
    const asked = serve(one.refusal, [200, one.answer(answers.complete)]);
    const results = [await ask(provider), await ask(provider)];
    expect(results).toMatchObject([
      { object: { ok: true }, attempts: 2 },
      { object: { ok: true }, attempts: 1 },
    ]);
    const news = schemaRefusedBy(provider.id);
    expect(results.map(({ warnings }) => warnings.includes(news))).toEqual([true, false]);
    expect(asked.map(isStrict)).toEqual([true, false, false]);
    expect(asked.slice(1).every((body) => body.includes('JSON Schema'))).toBe(true);
  });

  it.each(refusing)('$name: is asked once more, whatever it says then', async (one) => {
    const provider = one.provider();
    const asked = serve(one.refusal);
    for (const calls of [2, 3]) {
      await expect(ask(provider)).rejects.toMatchObject({ code: 'provider_refused_request' });
      expect(asked.length).toBe(calls);
    }
  });

  it('is not asked again for another cause, and prose stays no answer', async () => {
    const provider = openaiProvider(base);
    const long = JSON.stringify(chatProtocol.error(400, 'maximum context length is 4097'));
    expect(serve([400, long])).toEqual([]);
    await expect(ask(provider)).rejects.toMatchObject({ code: 'view_truncated' });
    const refusal = JSON.stringify(chatProtocol.error(400, 'This response_format is unavailable'));
    const prose = JSON.stringify(chatProtocol.answer({ kind: 'text', text: 'Yes, it is ok.' }));
    const asked = serve([400, refusal], [200, prose]);
    expect(await told(provider)).toMatchObject({ code: 'answer_unreadable' });
    expect(asked.length).toBe(2);
  });

  const chosen = {
    openai: (structured: 'json' | 'prompt') => openaiProvider({ ...base, structured }),
    anthropic: (structured: 'json' | 'prompt') => anthropicProvider({ ...base, structured }),
    ollama: (structured: 'json' | 'prompt') => ollamaProvider({ model: 'm', structured }),
  };
  it.each([
    ['openai', 'json', '"response_format":{"type":"json_object"}', chatProtocol],
    ['openai', 'prompt', undefined, chatProtocol],
    ['anthropic', 'json', undefined, anthropicProtocol],
    ['anthropic', 'prompt', undefined, anthropicProtocol],
    ['ollama', 'json', '"format":"json"', ollamaProtocol],
    ['ollama', 'prompt', undefined, ollamaProtocol],
  ] as const)('%s is asked by %s where the user says so', async (name, how, sent, protocol) => {
    const asked = serve([200, JSON.stringify(protocol.answer(answers.complete))]);
    const provider = chosen[name](how);
    expect(await ask(provider)).toMatchObject({ object: { ok: true }, attempts: 1, warnings: [] });
    expect(provider.capabilities.structured).toBe(how);
    expect(asked[0]).toContain('JSON Schema');
    if (sent === undefined) expect(isStrict(asked[0] ?? '')).toBe(false);
    else expect(asked[0]).toContain(sent);
  });
});
