import { readdirSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ServedAnswer } from '../../../../src/testing/index.js';
import {
  anthropicProtocol,
  chatProtocol,
  modelServer,
  ollamaProtocol,
} from '../../../support/model-server.js';
import { runCli } from '../../cli/harness.js';
import { argvIn, printed, reviewer, run, shop } from './task-shop.js';

afterEach(() => vi.unstubAllEnvs());

const protocols = {
  'openai:m': chatProtocol,
  'anthropic:m': anthropicProtocol,
  'ollama:m': ollamaProtocol,
} as const;
const names = Object.keys(protocols) as (keyof typeof protocols)[];

/** The words of an end that no reviewer gave. */
const verdictWords = /\b(success|passed|approved|accepted|rejected)\b|overall 1\.00/i;

/** Every text in JSON data, without the names of members. */
function textsIn(data: unknown): string[] {
  if (typeof data === 'string') return [data];
  if (typeof data !== 'object' || data === null) return [];
  return Object.values(data).flatMap(textsIn);
}

const said = 'credit balance of TEAPOT-7 is too low';
const status = (code: number): ServedAnswer => ({ kind: 'status', status: code, message: said });

const faults: readonly (readonly [string, ServedAnswer, RegExp])[] = [
  ['401', status(401), /status 401: .*TEAPOT-7/],
  ['402', status(402), /status 402: .*TEAPOT-7/],
  ['429', status(429), /status 429: .*TEAPOT-7/],
  ['500', status(500), /status 500: .*TEAPOT-7/],
  ['a hang', { kind: 'silence' }, /Review timed out: no answer within 2 s/],
  ['an empty answer', { kind: 'text', text: '' }, /Review returned empty response/],
  ['prose', { kind: 'text', text: 'It is fine, REVIEW_PASSED.' }, /Review returned no verdict/],
  ['a cut connection', { kind: 'cut' }, /API error: .*(cannot be (reached|read))/],
  ['no JSON', { kind: 'malformed' }, /API error: .*cannot be read/],
];

describe('a reviewer that fails [R2-020]', () => {
  it.each(faults)(
    'after %s nothing is done or committed, and the cause is named',
    async (_, answer, cause) => {
      await Promise.all(
        names.map(async (name) => {
          const { cwd, git } = shop();
          const server = await modelServer(protocols[name], answer);
          const url = name === 'openai:m' ? `${server.url}/v1` : server.url;
          const limit = answer.kind === 'silence' ? ['--timeout', '2'] : [];
          const flags = ['--provider', name, '--base-url', url, ...limit];
          const text = await runCli(cwd, [...run, '--all', ...flags]);
          expect(text.out, name).toMatch(cause);
          expect(text.out + text.err, name).not.toMatch(verdictWords);
          expect(text.code, name).toBe(50);
          const { out, code } = await runCli(cwd, [...run, '--all', ...flags, '--format', 'json']);
          expect(code, name).toBe(50);
          const texts = textsIn(JSON.parse(out));
          expect(texts.join('\n'), name).toMatch(cause);
          expect(
            texts.filter((one) => verdictWords.test(one)),
            name,
          ).toEqual([]);
          expect(git('log', '--format=%s'), name).toBe('first');
          await server.close();
        }),
      );
    },
  );

  it('a service that failed is asked three times, not six [R2-104]', async () => {
    const { cwd } = shop();
    const server = await modelServer(ollamaProtocol, status(500));
    await runCli(cwd, [
      ...run,
      ...['--task', 'TASK-001', '--provider', 'ollama:m', '--base-url', server.url],
    ]);
    await server.close();
    expect(server.seen).toHaveLength(3);
  });

  it('the printed next: reviews the same work, and does not do it again', async () => {
    const { cwd, git } = shop('echo "$REVIEWLOOP_ATTEMPT" >> "$REVIEWLOOP_TASK_ID.txt"\n');
    let works = false;
    const server = await modelServer(ollamaProtocol, () =>
      works
        ? { kind: 'text', text: JSON.stringify({ verdict: 'passed', reason: 'ok', issues: [] }) }
        : status(401),
    );
    const flags = ['--provider', 'ollama:m', '--base-url', server.url];
    const failed = await runCli(cwd, [...run, '--task', 'TASK-001', ...flags]);
    works = true;
    expect((await runCli(cwd, argvIn(printed(failed.out, 'next')))).out).toBe(
      'TASK-001: success (review: passed)\n',
    );
    await server.close();
    expect(git('show', 'HEAD:TASK-001.txt')).toBe('1');
  });

  it('another model may review it, and --anew does it again', async () => {
    const { cwd, git } = shop();
    const broken = await modelServer(ollamaProtocol, status(401));
    const to = (url: string) => ['--provider', 'ollama:m', '--base-url', url];
    const failed = await runCli(cwd, [...run, '--task', 'TASK-001', ...to(broken.url)]);
    await broken.close();
    const { server, flags } = await reviewer(() => 'passed');
    expect((await runCli(cwd, [...run, '--all', ...flags])).code).toBe(0);
    expect(server.seen).toHaveLength(3);
    await server.close();
    expect(git('log', '--format=%s').split('\n')).toHaveLength(4);
    expect(printed(failed.out, 'or', '--anew')).toMatch(/--anew # does the task again$/);
  });

  it('a person may override it', async () => {
    const { cwd, git } = shop();
    const server = await modelServer(ollamaProtocol, status(401));
    const flags = ['--provider', 'ollama:m', '--base-url', server.url];
    const failed = await runCli(cwd, [...run, '--task', 'TASK-001', ...flags]);
    await server.close();
    const argv = argvIn(printed(failed.out, 'or', 'override')).concat('--by', 'Ada');
    expect((await runCli(cwd, argv)).code).toBe(0);
    expect(git('log', '--format=%s')).toBe('TASK-001: Add tea\nfirst');
  });
});

describe('a reviewer that cannot work is found before any work [R2-020]', () => {
  it.each([
    ['no key', 'openai:m', []],
    ['no key', 'anthropic:m', []],
    ...names.map((name) => ['a refused connection', name, ['--base-url', 'closed']] as const),
    ['no program', 'cli:claude', []],
    ['no program', 'cli:codex', []],
  ] as const)('%s of %s', async (_, name, more) => {
    for (const key of ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'])
      vi.stubEnv(key, '');
    const { cwd, git } = shop();
    const before = process.env['PATH'] ?? '';
    vi.stubEnv('HOME', cwd);
    if (name.startsWith('cli:')) vi.stubEnv('PATH', '/nonexistent');
    const server = await modelServer(chatProtocol, { kind: 'silence' });
    await server.close();
    const flags = more.map((word) => (word === 'closed' ? server.url : word));
    const { code, err, out } = await runCli(cwd, [...run, '--all', '--provider', name, ...flags]);
    vi.stubEnv('PATH', before);
    expect(err).toMatch(new RegExp(`error: ${name}.* (no key|cannot be reached|not on the PATH)`));
    expect(err + out).not.toMatch(verdictWords);
    expect(code).toBe(2);
    expect(git('status', '--porcelain', '--ignored')).toBe('');
    expect(readdirSync(cwd)).not.toContain('.reviewloop');
  });

  it.each([
    [['--review-policy', 'required'], /--review-policy required needs a review: pass --provider/],
    [
      ['--review-policy', 'required', '--no-review', '--test-command', 'true'],
      /without --no-review/,
    ],
  ])('a review that is required and that nobody can give: %j [R2-005]', async (flags, message) => {
    const { cwd, git } = shop();
    const { code, err } = await runCli(cwd, [...run, '--all', ...flags]);
    expect(err).toMatch(message);
    expect(err).toContain('[invalid_options]');
    expect(code).toBe(2);
    expect(git('status', '--porcelain', '--ignored')).toBe('');
  });

  it('a task that changes nothing fails, whatever the model says [R2-003]', async () => {
    const { cwd, git } = shop('true\n');
    const { server, flags } = await reviewer(() => 'passed');
    const { code, out } = await runCli(cwd, [...run, '--task', 'TASK-001', ...flags]);
    await server.close();
    expect(code).toBe(50);
    expect(out).toMatch(
      /TASK-001: failed\n {2}exhausted, NOTHING_CHANGED: the task changed no file/,
    );
    expect(server.seen).toEqual([]);
    expect(git('log', '--format=%s')).toBe('first');
  });
});
