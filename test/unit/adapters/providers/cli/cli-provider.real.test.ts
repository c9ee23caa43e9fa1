import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { claudeCommand } from '@/adapters/providers/cli/claude-command.js';
import { type CliOptions, cliProvider } from '@/adapters/providers/cli/cli-provider.js';
import { codexCommand } from '@/adapters/providers/cli/codex-command.js';
import { deepworkCommand } from '@/adapters/providers/cli/deepwork-cli.js';
import { textCommand } from '@/adapters/providers/cli/text-command.js';
import type { LLMRequest } from '@/core/llm-provider.js';
import { type FakeCli, fakeCli } from '../../../../support/fake-cli.js';
import { expectCode, withCode, words } from '../../../../support/matchers.js';

const schema = {
  type: 'object',
  properties: { passed: { type: 'boolean' } },
  required: ['passed'],
};
const request = (more: Partial<LLMRequest> = {}): LLMRequest => ({
  system: 'You judge.',
  messages: [{ role: 'user', content: 'Is it fine?' }],
  signal: new AbortController().signal,
  ...more,
});

const planned = (more: Partial<LLMRequest> = {}) => ({
  request: request(more),
  ...{ folder: '/none', model: undefined },
});

/** What follows this word on a command line. */
const wordsAfter = (name: string, { args }: { readonly args: readonly string[] }) =>
  args.flatMap((word, index) => (word === name ? [args[index + 1]] : []));

const made: FakeCli[] = [];
function fake(kind: 'claude' | 'codex' | 'text', answer: object): FakeCli {
  const cli = fakeCli(kind, answer);
  made.push(cli);
  return cli;
}
/** A fake program, and the provider that calls it by a command. */
function faked(
  kind: 'claude' | 'codex' | 'text',
  answer: object,
  {
    command = {},
    ...more
  }: Omit<Partial<CliOptions>, 'command'> & { readonly command?: object } = {},
) {
  const cli = fake(kind, answer);
  const commands = { claude: claudeCommand, codex: codexCommand, text: textCommand };
  const made = commands[kind]({ executable: cli.executable, ...command });
  return { cli, provider: cliProvider({ command: made, env: cli.env, ...more }) };
}

afterEach(() => {
  vi.unstubAllEnvs();
  for (const cli of made.splice(0)) cli.remove();
});

const fine = { kind: 'text', text: '{"passed":true}', usage: { input: 5, output: 2 } };

describe('deepworkCommand', () => {
  it('calls claude with exactly the arguments of DeepWork, the prompt on standard input: JOBS-REQ-009.2.1', async () => {
    const cli = fake('claude', fine);
    const provider = cliProvider({
      command: { ...deepworkCommand(), executable: cli.executable },
      env: cli.env,
      cwd: cli.folder,
    });
    expect(await provider.generate(request({ schema }))).toMatchObject({
      object: { passed: true },
      finish: 'stop',
      attempts: 1,
    });
    const [call] = cli.calls();
    expect(call?.args).toEqual([
      ...words('--print --output-format json --system-prompt'),
      'You judge.',
      '--json-schema',
      JSON.stringify(schema),
      '-p',
      '--',
    ]);
    expect(call?.input).toBe('Is it fine?');
    expect(call?.cwd).toBe(cli.folder);
  });

  it('gives a test command the system prompt and no schema: JOBS-REQ-009.1.1', () => {
    const { executable, plan } = deepworkCommand({ testCommand: ['python3', 'mock.py'] });
    expect(executable).toBe('python3');
    expect(plan(planned({ schema })).args).toEqual(['mock.py', '--system-prompt', 'You judge.']);
  });
});

describe('claudeCommand', () => {
  it('gives the system text and the schema without tools, sessions or settings', async () => {
    const options = { command: { auth: 'key' }, model: 'some-model' };
    const { cli, provider } = faked('claude', fine, options);
    await provider.generate(request({ schema, maxOutputTokens: 100 }));
    const [call] = cli.calls();
    expect(call?.args).toEqual(
      expect.arrayContaining([
        '--bare',
        '--tools',
        '',
        ...words('--strict-mcp-config --no-session-persistence --model some-model'),
      ]),
    );
    expect(call?.files['--system-prompt-file']).toBe('You judge.');
    expect(call?.env).toMatchObject({
      CLAUDE_CODE_MAX_RETRIES: '0',
      CLAUDE_CODE_MAX_OUTPUT_TOKENS: '100',
      DISABLE_AUTOUPDATER: '1',
    });
  });

  it('may edit files only where that is asked for, and never runs commands', () => {
    const of = (name: string, edits?: boolean) =>
      wordsAfter(name, claudeCommand({ edits }).plan(planned()));
    for (const edits of [undefined, false]) expect(of('--tools', edits)).toEqual(['']);
    expect(of('--tools', true)).toEqual(['Read,Edit,Write,Glob,Grep']);
    expect(of('--permission-mode')).toEqual([]);
    expect(of('--permission-mode', true)).toEqual(['acceptEdits']);
    expect(() => claudeCommand({ edits: 'yes' as never })).toThrow(withCode('invalid_options'));
  });

  it('leaves the login of the user alone unless there is a key', () => {
    const args = () => claudeCommand().plan(planned()).args;
    vi.stubEnv('ANTHROPIC_API_KEY', '');
    expect(args()).toContain('--safe-mode');
    vi.stubEnv('ANTHROPIC_API_KEY', 'a-key');
    expect(args()).toContain('--bare');
  });

  it('asks again when the structured output is missing, and counts', async () => {
    const { cli, provider } = faked('claude', { ...fine, missing: 2 });
    expect(await provider.generate(request({ schema }))).toMatchObject({
      object: { passed: true },
      attempts: 3,
      usage: { inputTokens: 15, outputTokens: 6 },
    });
    expect(cli.calls().length).toBe(3);
  });

  it('gives up after so many times, with the answer in the error', async () => {
    const { cli, provider } = faked('claude', { ...fine, missing: 9 }, { retries: 1 });
    await expect(provider.generate(request({ schema }))).rejects.toMatchObject({
      code: 'answer_unreadable',
      value: { raw: expect.stringContaining('"passed\\":true') },
    });
    expect(cli.calls().length).toBe(2);
  });

  it('takes no structured output for a result that is no object: D000-06', async () => {
    const { provider } = faked('claude', { ...fine, text: '[]' }, { retries: 0 });
    await expectCode(provider.generate(request({ schema })), 'answer_unreadable');
  });
});

describe('codexCommand', () => {
  it('gives the schema as a file and reads the last message, whatever else was said', async () => {
    const { cli, provider } = faked('codex', fine, { model: 'some-model' });
    expect(await provider.generate(request({ schema }))).toMatchObject({
      object: { passed: true },
      usage: { inputTokens: 5, outputTokens: 2 },
      model: 'some-model',
    });
    const [call] = cli.calls();
    expect(JSON.parse(call?.files['--output-schema'] ?? '')).toEqual(schema);
    expect(call?.input).toBe('You judge.\n\nIs it fine?');
    expect(call?.args.at(-1)).toBe('-');
  });

  it('has a sandbox that only reads, unless it may edit', () => {
    const sandbox = (edits?: boolean) => wordsAfter('-s', codexCommand({ edits }).plan(planned()));
    for (const edits of [undefined, false]) expect(sandbox(edits)).toEqual(['read-only']);
    expect(sandbox(true)).toEqual(['workspace-write']);
    expect(() => codexCommand({ edits: 1 as never })).toThrow(withCode('invalid_options'));
  });

  it('reads the last message of the events when it wrote no file', async () => {
    const { provider } = faked('codex', { ...fine, noLast: true });
    expect((await provider.generate(request())).text).toBe(fine.text);
  });
});

describe('textCommand', () => {
  it('takes what the program prints, and tells it the schema', async () => {
    const { cli, provider } = faked('text', fine, { command: { name: 'own' } });
    expect(await provider.generate(request({ schema, seed: 1 }))).toMatchObject({
      object: { passed: true },
      usage: {},
      model: 'cli:own',
      warnings: ['seed is not supported and was left out'],
    });
    expect(cli.calls()[0]?.input).toContain(JSON.stringify(schema));
  });

  it('takes an exit code for a failure, with the end of the output', async () => {
    const { provider } = faked('text', { kind: 'status', status: 0, message: 'it broke' });
    await expect(provider.generate(request())).rejects.toMatchObject({
      code: 'process_failed',
      message: expect.stringContaining('it broke'),
      value: { exitCode: 3 },
    });
  });
});

describe('cliProvider', () => {
  it('runs in a new empty folder and removes it', async () => {
    const { cli, provider } = faked('text', fine);
    await provider.generate(request());
    const cwd = cli.calls()[0]?.cwd ?? '';
    expect(cwd.startsWith(tmpdir())).toBe(true);
    expect(existsSync(cwd)).toBe(false);
  });

  it('passes on the variables of its own vendor only', async () => {
    vi.stubEnv('ANTHROPIC_API_KEY', 'key-of-anthropic');
    vi.stubEnv('OPENAI_API_KEY', 'key-of-openai');
    vi.stubEnv('SOME_SECRET', 'another');
    for (const [kind, key] of [
      ['claude', 'ANTHROPIC_API_KEY'],
      ['codex', 'OPENAI_API_KEY'],
    ] as const) {
      const { cli, provider } = faked(kind, fine);
      await provider.generate(request());
      const names = Object.keys(cli.calls()[0]?.env ?? {});
      expect(names.filter((name) => /KEY|SECRET/.test(name))).toEqual([key]);
    }
  });

  it('ends a program that ignores the request to end, with its child, and leaves no folder', async () => {
    const pids = join(tmpdir(), `pids-${process.pid}.json`);
    const cli = fake('claude', { kind: 'stubborn', pids });
    const provider = cliProvider({
      command: claudeCommand({ executable: cli.executable }),
      env: { ...cli.env, TMPDIR: cli.folder },
      timeoutMs: 1500,
      killAfterMs: 100,
    });
    await expect(provider.generate(request())).rejects.toMatchObject({
      code: 'provider_timeout',
      retryable: true,
    });
    const started = JSON.parse(readFileSync(pids, 'utf8')) as number[];
    expect(started.length).toBe(2);
    await expect.poll(() => started.filter(isAlive)).toEqual([]);
    expect(readdirSync(tmpdir()).filter((name) => name === cli.calls()[0]?.cwd)).toEqual([]);
  });

  it('refuses options it does not have and values of the wrong kind', () => {
    expect(() => cliProvider({ command: 'claude', colour: 'red' } as never)).toThrow(/colour/);
    expect(() => cliProvider({ command: 'gemini' } as never)).toThrow(/textCommand/);
    expect(() => cliProvider({ command: 'claude', timeoutMs: 0 })).toThrow(/timeoutMs/);
    expect(() => cliProvider({ command: 'claude', retries: -1 })).toThrow(/retries/);
    expect(() => textCommand({ executable: '' })).toThrow(/executable/);
  });

  it('refuses more output than allowed', async () => {
    const large = { kind: 'text', text: 'x'.repeat(5000) };
    const { provider } = faked('text', large, { maxOutputBytes: 1000 });
    await expectCode(provider.generate(request()), 'provider_malformed');
  });
});

function isAlive(pid: number): boolean {
  try {
    return (
      process.kill(pid, 0) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
    );
  } catch {
    return false;
  }
}
