import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  chooseProvider,
  providerFor,
  reopenProvider,
} from '../../../src/cli-kit/provider/choose-provider.js';
import { scriptedProvider } from '../../../src/testing/index.js';
import { folderOf, runCli } from '../cli/harness.js';

afterEach(() => vi.unstubAllEnvs());

const none = { provider: undefined, model: undefined, baseUrl: undefined };

describe('providerFor', () => {
  it('takes the flags before the configuration, and names no model by itself', () => {
    expect(providerFor(none, {})).toBeUndefined();
    expect(providerFor({ ...none, provider: 'ollama:a' }, { provider: 'openai:b' })).toEqual({
      name: 'ollama:a',
    });
    expect(
      providerFor(none, { provider: 'openai', model: 'b', baseUrl: 'http://127.0.0.1:1/v1' }),
    ).toEqual({ name: 'openai', model: 'b', baseUrl: 'http://127.0.0.1:1/v1' });
    const own = scriptedProvider(() => 'yes');
    expect(providerFor(none, { provider: own })).toBe(own);
  });
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
  it('refuses a model without a name of a provider, and what is no provider', async () => {
    const cwd = await folderOf({
      'a.md': 'A text.\n',
      'reviewloop.config.json': '{ "model": "x" }',
    });
    const { code, err } = await runCli(cwd, ['review', 'a.md', '--task-text', 'A text']);
    expect([code, err]).toEqual([
      2,
      expect.stringContaining('`model`: requires a `provider` that is a name'),
    ]);
    for (const bad of [
      '{ "provider": 1 }',
      '{ "provider": "" }',
      '{ "provider": "openai:x", "baseUrl": "file:///x" }',
    ]) {
      const other = await folderOf({ 'a.md': 'A text.\n', 'reviewloop.config.json': bad });
      expect((await runCli(other, ['review', 'a.md', '--task-text', 'A text'])).code).toBe(2);
    }
  });

  it('asks it about what words leave unsure, and only that', async () => {
    const page = '# Sign in\n\nThe box keeps the session for thirty days.\n';
    const task = 'Visitors must be able to keep their session open without password.\n';
    const cwd = await folderOf({
      'page.md': page,
      'TASK.md': task,
      'reviewloop.config.mjs': config(),
    });
    const { out, err } = await runCli(cwd, [
      'review',
      'page.md',
      '--task',
      'TASK.md',
      '--criteria',
      'auto',
      '--format',
      'json',
    ]);
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
    const { out, err } = await runCli(cwd, [
      'review',
      'page.txt',
      '--task-text',
      `Publish ${key} nowhere`,
    ]);
    const json = await runCli(cwd, [
      'review',
      'page.txt',
      '--task-text',
      'Publish nothing',
      '--format',
      'json',
    ]);
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
    expect(json.out).toContain('[REDACTED:github-token]');
    expect(await readFile(join(kept, 'output/page.txt'), 'utf8')).toBe(`the key ${key}\n`);
    expect(await readFile(join(cwd, 'page.txt'), 'utf8')).toBe(`the key ${key}\n`);
  });
});
