import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { rateLimit, spendingLimit } from '@/blocks/models/index.js';
import type { LLMRequest } from '@/core/llm-provider.js';
import { chooseProvider, providerLimits } from '@/faces/cli-kit/provider/choose-provider.js';
import { providerFor, reopenProvider } from '@/faces/cli-kit/provider/provider-choice.js';
import { requireReady } from '@/faces/cli-kit/provider/require-ready.js';
import { scriptedProvider } from '@/testing/index.js';
import { errorWith, words } from '../../../support/matchers.js';
import { chatProtocol, modelServer } from '../../../support/model-server.js';
import { tempFolder } from '../../../support/temp-folder.js';
import { folderOf, runCli } from '../cli/harness.js';

afterEach(() => vi.unstubAllEnvs());

const none = { provider: undefined, model: undefined, baseUrl: undefined };

it('providerFor takes the flags before the configuration, and names no model by itself', () => {
  expect(providerFor(none, {})).toBeUndefined();
  expect(providerFor({ ...none, provider: 'ollama:a' }, { provider: 'openai:b' })).toEqual({
    name: 'ollama:a',
  });
  expect(
    providerFor(none, { provider: 'openai', model: 'b', baseUrl: 'http://127.0.0.1:1/v1' }),
  ).toEqual({ name: 'openai', model: 'b', baseUrl: 'http://127.0.0.1:1/v1' });
  const own = scriptedProvider(() => 'yes');
  expect(providerFor(none, { provider: own })).toBe(own);
  expect(providerFor(none, { provider: 'openai:b', structured: 'json' })).toEqual({
    ...{ name: 'openai:b', structured: 'json' },
  });
  expect(() => providerFor({ ...none, structured: 'json' }, {})).toThrow(
    '--structured requires --provider',
  );
});

describe('chooseProvider', () => {
  it('tells of a key and does not use it', async () => {
    vi.stubEnv('OPENAI_API_KEY', 'sk-key-of-the-environment-1234567890');
    let err = '';
    expect(
      await chooseProvider({ err: (text) => (err += text) }, undefined, false),
    ).toBeUndefined();
    expect(err).toContain('OPENAI_API_KEY is set but not used');
    expect(err).not.toContain('sk-key');
  });

  it('says what auto chose and why', async () => {
    vi.stubEnv('OPENAI_API_KEY', 'sk-key-of-the-environment-1234567890');
    vi.stubEnv('ANTHROPIC_API_KEY', '');
    let err = '';
    const choice = { name: 'auto', model: 'qwen3' };
    const chosen = await chooseProvider({ err: (text) => (err += text) }, choice, true);
    expect(chosen?.model).toBe('qwen3');
    expect(err).toBe('provider: openai:qwen3 (OPENAI_API_KEY is set)\n');
    vi.stubEnv('OPENAI_API_KEY', '');
    expect((await reopenProvider(choice))?.id).toBe('ollama:qwen3');
  });

  it('tries again what may pass, and keeps what the provider is', async () => {
    let calls = 0;
    const flaky = scriptedProvider(() => {
      calls += 1;
      return 'fine';
    });
    const patient = await chooseProvider({ err: () => {} }, flaky, true);
    expect([patient?.id, patient?.model, patient?.capabilities]).toEqual([
      flaky.id,
      flaky.model,
      flaky.capabilities,
    ]);
    expect(
      await patient?.generate({
        messages: [{ role: 'user', content: 'x' }],
        signal: new AbortController().signal,
      }),
    ).toMatchObject({ text: 'fine' });
    expect(calls).toBe(1);
  });
});

/** A configuration with a provider of its own, which quotes the line with "thirty days" and tells that it was asked. */
const config = (extra = '') => `
import { writeFileSync } from 'node:fs';
const capabilities = { schemaSubset: 'none', structuredOutput: false, promptCaching: false };
export default { criteria: ['text'], ${extra}
  provider: { id: 'own', model: 'm', capabilities, generate: async ({ messages }) => {
    writeFileSync(new URL('asked.txt', import.meta.url), messages.map(({ content }) => content).join('\\n'));
    const token = /The token is (\\w+)\\./.exec(messages.at(-1).content)[1];
    return { text: JSON.stringify({ token, answers: [{ id: 'R1', answer: 'satisfied', reason: 'it does', quote: 'The box keeps the session for thirty days.' }] }), usage: {}, model: 'm', finish: 'stop', attempts: 1 };
  } },
};`;

describe('the configuration of a provider', () => {
  it('asks it about what words leave unsure, and only that', async () => {
    const page = '# Sign in\n\nThe box keeps the session for thirty days.\n';
    const task = 'Visitors must be able to keep their session open without password.\n';
    const cwd = await folderOf({
      'page.md': page,
      'TASK.md': task,
      'reviewloop.config.mjs': config(),
    });
    const { out, err } = await runCli(
      cwd,
      words('review page.md --task TASK.md --criteria auto --format json'),
    );
    const report = JSON.parse(out || '{}') as {
      coverage?: { state: string; coverageDetails: string }[];
    };
    const asked = await readFile(join(cwd, 'asked.txt'), 'utf8').catch(() => '');
    expect(report.coverage?.[0]?.state, out + err).toBe('covered');
    expect(asked).toContain('<<<UNTRUSTED');
  });
});

describe('secrets in what a review tells', () => {
  const key = `ghp_${'aB3dE5fG7h'.repeat(4)}`;
  const criteria = `export default { criteria: { 'no-key': ({ artifacts }) => artifacts.every(({ content }) => !content.includes('ghp_')) || 'holds ' + artifacts[0].content } };`;

  it('are taken out of the terminal, the report, the summary and progress, and the files stay as they are', async () => {
    const cwd = await folderOf({
      'page.txt': `the key ${key}\n`,
      'reviewloop.config.mjs': criteria,
    });
    const said = `Publish ${key} nowhere`;
    const { out, err } = await runCli(cwd, ['review', 'page.txt', '--task-text', said]);
    const asJson = [...words('review page.txt --format json --task-text'), 'Publish nothing'];
    const json = await runCli(cwd, asJson);
    const { runId } = JSON.parse(json.out) as { runId: string };
    const kept = join(cwd, '.reviewloop/runs', runId);
    const texts = [
      out,
      err,
      json.out,
      json.err,
      await readFile(join(kept, 'review.json'), 'utf8'),
      await readFile(join(kept, 'summary.md'), 'utf8'),
    ];
    for (const text of texts) expect(text).not.toContain(key.slice(0, 20));
    expect(json.out).toContain('[REDACTED:token]');
    expect(await readFile(join(kept, 'output/page.txt'), 'utf8')).toBe(`the key ${key}\n`);
    expect(await readFile(join(cwd, 'page.txt'), 'utf8')).toBe(`the key ${key}\n`);
  });
});

const request: LLMRequest = {
  messages: [{ role: 'user', content: 'Is it fine?' }],
  signal: new AbortController().signal,
};
const provider = scriptedProvider(() => 'fine', { id: 'openai:m' });
const prices = { 'openai:m': { inputPerMillion: 1, outputPerMillion: 2 } };

function shared() {
  const asked: object[] = [];
  return {
    asked,
    rateLimit: ({ key, ...options }: { readonly key: string }) => {
      asked.push({ key, ...options });
      return rateLimit(options);
    },
    spendingLimit: ({ key, ...options }: { readonly key: string; readonly usdPerDay: number }) => {
      asked.push({ key, ...options });
      return spendingLimit(options);
    },
  };
}

describe('the limits of the configuration', () => {
  it('are shared by name and provider over a store that can share them', async () => {
    const store = shared();
    const limits = { key: 'team', requestsPerMinute: 50, usdPerDay: 5, timeZone: 'UTC', prices };
    const limited = providerLimits(limits, store)(provider);
    expect(store.asked).toEqual([
      { key: 'team', usdPerDay: 5, timeZone: 'UTC' },
      { key: 'team: openai:m', requestsPerMinute: 50 },
    ]);
    expect(await limited.generate(request)).toMatchObject({ text: 'fine' });
  });

  it('are not shared unless somebody named one', () => {
    const store = shared();
    providerLimits(undefined, store)(provider);
    providerLimits({ key: 'team' }, store)(provider);
    expect(store.asked).toEqual([]);
  });

  it('refuse money a day without a store that counts for all commands', () => {
    expect(() => providerLimits({ usdPerDay: 5, prices })).toThrow(
      /limits.usdPerDay requires --store postgres:/,
    );
  });

  it('refuse money a day without the prices of the provider', () => {
    expect(() => providerLimits({ usdPerDay: 5 }, shared())(provider)).toThrow(
      /limits.usdPerDay requires the prices of openai:m: add them to limits.prices/,
    );
  });
});

const emptyKeys = (): void => {
  for (const name of ['OPENAI_API_KEY', 'OPENAI_ADMIN_KEY', 'ANTHROPIC_API_KEY'])
    vi.stubEnv(name, '');
  vi.stubEnv('ANTHROPIC_AUTH_TOKEN', '');
  vi.stubEnv('HOME', '/nonexistent');
  vi.stubEnv('XDG_CONFIG_HOME', '/nonexistent');
};

describe('a provider that cannot work is named before any work [R2-020]', () => {
  it.each([
    ['openai:m', 'openai:m has no key: set OPENAI_API_KEY, or pass --base-url'],
    ['anthropic:m', 'anthropic:m has no key: set ANTHROPIC_API_KEY, or pass --base-url'],
  ])('a missing key of %s', async (name, said) => {
    emptyKeys();
    await expect(requireReady(name, undefined)).rejects.toMatchObject({
      code: 'provider_not_ready',
      kind: 'usage',
      message: expect.stringContaining(said),
    });
  });

  it.each([
    ['openai:m', 'OPENAI_API_KEY'],
    ['anthropic:m', 'ANTHROPIC_API_KEY'],
  ])('a key of %s is enough, and nothing is sent', async (name, variable) => {
    emptyKeys();
    vi.stubEnv(variable, 'key-for-this-test-0123456789');
    const sent = vi.spyOn(globalThis, 'fetch');
    await requireReady(name, undefined);
    expect(sent).not.toHaveBeenCalled();
  });

  it('a program that is not on the PATH', async () => {
    const folder = tempFolder('reviewloop-path');
    vi.stubEnv('PATH', folder);
    await expect(requireReady('cli:claude:sonnet', undefined)).rejects.toMatchObject(
      errorWith('provider_not_ready', 'the program claude, which is not on the PATH'),
    );
    await writeFile(join(folder, 'claude'), '#!/bin/sh\n');
    await chmod(join(folder, 'claude'), 0o755);
    await requireReady('cli:claude:sonnet', undefined);
  });

  it('an address where nothing listens; a server is asked nothing', async () => {
    const server = await modelServer(chatProtocol, { kind: 'silence' });
    for (const name of ['openai:m', 'anthropic:m', 'ollama:m'])
      await requireReady(name, `${server.url}/v1`);
    expect(server.seen).toEqual([]);
    await server.close();
    for (const name of ['openai:m', 'anthropic:m', 'ollama:m'])
      await expect(requireReady(name, server.url)).rejects.toMatchObject(
        errorWith(
          'provider_not_ready',
          /cannot be reached: nothing answers at 127\.0\.0\.1:\d+ \(ECONNREFUSED\)/,
        ),
      );
  });
});

it('a service that refuses schemas is told once on the terminal', async () => {
  const refusal = { kind: 'status', status: 400, message: 'response_format is not supported' };
  const good = { kind: 'text', text: '{}' };
  const server = await modelServer(chatProtocol, (call) => (call === 0 ? refusal : good) as never);
  let err = '';
  const choice = { name: 'openai:m', baseUrl: server.url };
  const provider = await chooseProvider({ err: (text) => (err += text) }, choice, true);
  for (const _ of [1, 2]) await provider?.generate({ ...request, schema: {} });
  expect(err).toMatch(/^openai:m@\S+ does not support the schema of the answer, .*\n$/);
  expect(server.seen).toHaveLength(3);
  await server.close();
});

it('a failed call of the command line is final after three attempts: nothing else retries it [R2-104]', async () => {
  const fault = { kind: 'status', status: 500, message: 'the server is on fire' } as const;
  const server = await modelServer(chatProtocol, fault);
  const choice = { name: 'openai:m', baseUrl: server.url };
  const provider = await chooseProvider({ err: () => {} }, choice, true);
  const asked = provider?.generate(request);
  await expect(asked).rejects.toMatchObject({
    code: 'provider_unavailable',
    retryable: false,
    message: expect.stringContaining('status 500'),
  });
  expect(server.seen).toHaveLength(3);
  await server.close();
});
