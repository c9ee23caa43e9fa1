import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { chooseProvider } from '../../../src/cli-kit/provider/choose-provider.js';
import { requireReady } from '../../../src/cli-kit/provider/require-ready.js';
import { chatProtocol, modelServer } from '../../support/model-server.js';

afterEach(() => vi.unstubAllEnvs());

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
    const folder = await mkdtemp(join(tmpdir(), 'reviewloop-path-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    vi.stubEnv('PATH', folder);
    await expect(requireReady('cli:claude:sonnet', undefined)).rejects.toMatchObject({
      code: 'provider_not_ready',
      message: expect.stringContaining('the program claude, which is not on the PATH'),
    });
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
      await expect(requireReady(name, server.url)).rejects.toMatchObject({
        code: 'provider_not_ready',
        message: expect.stringMatching(
          /cannot be reached: nothing answers at 127\.0\.0\.1:\d+ \(ECONNREFUSED\)/,
        ),
      });
  });
});

describe('the retries of the command line [R2-104]', () => {
  it('a failed call is final after three attempts: nothing else retries it', async () => {
    const server = await modelServer(chatProtocol, {
      kind: 'status',
      status: 500,
      message: 'the server is on fire',
    });
    const provider = await chooseProvider(
      { err: () => {} },
      { name: 'openai:m', baseUrl: server.url },
      true,
    );
    const asked = provider?.generate({
      messages: [{ role: 'user', content: 'x' }],
      signal: new AbortController().signal,
    });
    await expect(asked).rejects.toMatchObject({
      code: 'provider_unavailable',
      retryable: false,
      message: expect.stringContaining('status 500'),
    });
    expect(server.seen).toHaveLength(3);
    await server.close();
  });
});
