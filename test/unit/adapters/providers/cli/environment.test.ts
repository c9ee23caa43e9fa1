import { afterEach, describe, expect, it, vi } from 'vitest';
import { claudeCommand } from '@/adapters/providers/cli/claude-command.js';
import type { CliCommand } from '@/adapters/providers/cli/cli-command.js';
import { cliProvider } from '@/adapters/providers/cli/cli-provider.js';
import { codexCommand } from '@/adapters/providers/cli/codex-command.js';
import { deepworkCommand } from '@/adapters/providers/cli/deepwork-cli.js';
import { providerFrom } from '@/adapters/providers/index.js';
import { expectCode } from '../../../../support/matchers.js';

afterEach(() => vi.unstubAllEnvs());

/** The names of the variables that a command sees, as a process prints them. */
async function seenBy(command: CliCommand): Promise<string[]> {
  const printing: CliCommand = {
    ...command,
    executable: process.execPath,
    plan: () => ({ args: ['-p', 'Object.keys(process.env).join()'], input: '' }),
    read: async ({ stdout }) => ({ text: stdout.trim(), finish: 'stop', usage: {} }),
  };
  const { text } = await cliProvider({ command: printing }).generate({
    messages: [{ role: 'user', content: 'x' }],
    signal: new AbortController().signal,
  });
  return text.split(',');
}

const cloud = [
  'AWS_REGION',
  'AWS_PROFILE',
  'AWS_SESSION_TOKEN',
  'CLAUDE_CODE_USE_BEDROCK',
  'CLAUDE_CODE_USE_VERTEX',
  'ANTHROPIC_VERTEX_PROJECT_ID',
  'GOOGLE_APPLICATION_CREDENTIALS',
  'XDG_CONFIG_HOME',
];

describe('the environment of a program that asks a model [R2-119]', () => {
  it.each([
    ['claudeCommand', claudeCommand(), cloud],
    ['deepworkCommand', deepworkCommand(), cloud],
    ['codexCommand', codexCommand(), ['CODEX_HOME', 'XDG_CONFIG_HOME']],
  ] as const)('%s passes on what its vendor reads, and no more', async (_, command, names) => {
    for (const name of names) vi.stubEnv(name, 'x');
    vi.stubEnv('DATABASE_URL', 'x');
    const seen = await seenBy(command);
    expect(seen).toEqual(expect.arrayContaining([...names]));
    expect(seen).not.toContain('DATABASE_URL');
  });

  it.each([
    ['claudeCommand', claudeCommand],
    ['codexCommand', codexCommand],
  ] as const)('allowEnv of %s passes on others, by name or by their beginning', async (_, make) => {
    for (const name of ['DATABASE_URL', 'MY_ONE', 'MY_TWO', 'YOUR_ONE']) vi.stubEnv(name, 'x');
    const seen = await seenBy(make({ allowEnv: ['DATABASE_URL', 'MY_*'] }));
    expect(seen).toEqual(expect.arrayContaining(['DATABASE_URL', 'MY_ONE', 'MY_TWO']));
    expect(seen).not.toContain('YOUR_ONE');
  });

  it('a key that a pattern allows is removed from errors', async () => {
    vi.stubEnv('MY_API_KEY', 'a-value-of-this-test');
    const command: CliCommand = {
      ...claudeCommand({ allowEnv: ['MY_*'] }),
      executable: process.execPath,
      plan: () => ({
        args: ['-e', 'console.error(process.env.MY_API_KEY); process.exit(3)'],
        input: '',
      }),
      read: claudeCommand().read,
    };
    const asked = cliProvider({ command }).generate({
      messages: [{ role: 'user', content: 'x' }],
      signal: new AbortController().signal,
    });
    await expect(asked).rejects.toMatchObject({
      message: expect.not.stringContaining('a-value-of-this-test'),
    });
  });

  it('a service takes none', async () => {
    for (const name of ['openai:m', 'anthropic:m', 'ollama:m'])
      await expectCode(providerFrom(name, { allowEnv: ['A'] }), 'invalid_options');
    expect((await providerFrom('cli:claude', { allowEnv: ['A'] })).id).toBe('cli:claude');
    expect((await providerFrom('cli:codex:m', { allowEnv: ['A'] })).id).toBe('cli:codex:m');
  });
});
