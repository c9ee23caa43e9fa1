import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { newRepository } from '../../../../support/git-repository.js';
import {
  faultsOfServices,
  protocols,
  refusedWith,
  services,
  textsIn,
  verdictWords,
} from '../../../../support/judge-faults.js';
import { chatProtocol, modelServer, ollamaProtocol } from '../../../../support/model-server.js';
import { foldersOf } from '../../../../support/temp-folder.js';
import { runCli } from '../../cli/harness.js';
import { argvIn, printed, reviewer, run, shop } from './task-shop.js';

afterEach(() => vi.unstubAllEnvs());

/** What a task says of faults in words of its own. */
const ownWords: Readonly<Record<string, RegExp>> = {
  'a hang': /Review timed out: no answer within 6 s/,
  'an empty answer': /Review returned empty response/,
  prose: /Review returned no verdict/,
  'a cut connection': /API error: .*(cannot be (reached|read))/,
  'no JSON': /API error: .*cannot be read/,
};

describe('a reviewer that fails [R2-020]', () => {
  it.concurrent.for(faultsOfServices())(
    'after %s nothing is done or committed, and the cause is named',
    async ([fault, answer, words, name], context) => {
      const cause = ownWords[fault] ?? words;
      const { cwd, git } = foldersOf(context, shop);
      const server = await modelServer(protocols[name], answer);
      const url = name === 'openai:m' ? `${server.url}/v1` : server.url;
      const limit = answer.kind === 'silence' ? ['--timeout', '6'] : [];
      const flags = ['--provider', name, '--base-url', url, ...limit];
      const text = await runCli(cwd, [...run, '--all', ...flags]);
      expect(text.out).toMatch(cause);
      expect(text.out + text.err).not.toMatch(verdictWords);
      expect(text.code).toBe(50);
      const { out, code } = await runCli(cwd, [...run, '--all', ...flags, '--format', 'json']);
      expect(code).toBe(50);
      const texts = textsIn(JSON.parse(out));
      expect(texts.join('\n')).toMatch(cause);
      expect(texts.filter((one) => verdictWords.test(one))).toEqual([]);
      expect(git('log', '--format=%s')).toBe('first');
      await server.close();
    },
  );

  it('a service that failed is asked three times, not six [R2-104]', async () => {
    const { cwd } = shop();
    const server = await modelServer(ollamaProtocol, refusedWith(500));
    const flags = ['--provider', 'ollama:m', '--base-url', server.url];
    await runCli(cwd, [...run, '--task', 'TASK-001', ...flags]);
    await server.close();
    expect(server.seen).toHaveLength(3);
  });

  it('the printed next: reviews the same work, and does not do it again', async () => {
    const { cwd, git } = shop('echo "$REVIEWLOOP_ATTEMPT" >> "$REVIEWLOOP_TASK_ID.txt"\n');
    let works = false;
    const server = await modelServer(ollamaProtocol, () =>
      works
        ? { kind: 'text', text: JSON.stringify({ verdict: 'passed', reason: 'ok', issues: [] }) }
        : refusedWith(401),
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
    const broken = await modelServer(ollamaProtocol, refusedWith(401));
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
    const server = await modelServer(ollamaProtocol, refusedWith(401));
    const flags = ['--provider', 'ollama:m', '--base-url', server.url];
    const failed = await runCli(cwd, [...run, '--task', 'TASK-001', ...flags]);
    await server.close();
    const override = printed(failed.out, 'or', 'override').replace('...', 'it is small');
    expect((await runCli(cwd, [...argvIn(override), '--by', 'Ada'])).code).toBe(0);
    expect(git('log', '--format=%s')).toBe('TASK-001: Add tea\nfirst');
  });
});

describe('a reviewer that cannot work is found before any work [R2-020]', () => {
  it.each([
    ['no key', 'openai:m', []],
    ['no key', 'anthropic:m', []],
    ...services.map((name) => ['a refused connection', name, ['--base-url', 'closed']] as const),
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

const all = [...run, '--all'];
const one = [...run, '--task', 'TASK-001'];
const fail = ['--test-command', 'false', '--attempts', '1'];

/** The patch that a command has named. */
const patchIn = (out: string): string => /set aside: git apply (\S+)/.exec(out)?.[1] ?? '';

describe('what failed is kept aside, and each advice leads on [R2-063]', () => {
  it('a rejected change is a patch, the tree is clean, and other tasks go on', async () => {
    const { cwd, git } = shop();
    await runCli(cwd, [...one, '--hitl-review']);
    const rejected = await runCli(cwd, ['answer', 'TASK-001', 'reject', '--by', 'Ada']);
    expect(rejected.code).toBe(51);
    const patch = patchIn(rejected.out);
    expect(readFileSync(patch, 'utf8')).toContain('+++ b/TASK-001.txt');
    expect(statSync(patch).mode & 0o777).toBe(0o600);
    expect(git('status', '--porcelain')).toBe('');

    const others = await runCli(cwd, all);
    expect(others.out).toContain('pass --task TASK-001 to do it again');
    expect(git('log', '--format=%s')).toBe('TASK-003: Add sugar\nfirst');
    expect(others.code).toBe(51);

    const again = await runCli(cwd, [...run, '--task', 'TASK-001']);
    expect(again).toMatchObject({ code: 0, out: 'TASK-001: success (review: skipped)\n' });
    expect((await runCli(cwd, all)).code).toBe(0);
    expect(git('log', '--format=%s').split('\n')).toHaveLength(4);
  });

  it('the patch brings the change back, whatever kind of file it has', async () => {
    const script = [
      'printf "one\\ntwo\\n" > new.txt',
      'printf "\\000\\001\\377" > logo.bin',
      'mkdir -p a/b && echo deep > "a/b/with space.txt"',
      'rm tasks-note.md && ln -s new.txt link && chmod +x do.sh && echo more >> shop.css',
    ].join('\n');
    const { cwd, git, write, commit } = shop(`${script}\n`);
    write('tasks-note.md', 'a note\n');
    write('shop.css', 'a {}\n');
    commit('more');
    git('config', 'diff.noprefix', 'true');
    git('config', 'core.autocrlf', 'false');
    const failed = await runCli(cwd, [...one, ...fail]);
    expect(git('status', '--porcelain')).toBe('');
    expect(readdirSync(cwd)).not.toContain('a');
    git('apply', patchIn(failed.out));
    const rows = git('status', '--porcelain', '-uall').split('\n');
    expect(rows.map((row) => row.trim())).toEqual([
      ...['M do.sh', 'M shop.css', 'D tasks-note.md', '?? "a/b/with space.txt"'],
      ...['?? link', '?? logo.bin', '?? new.txt'],
    ]);
    expect(readFileSync(join(cwd, 'logo.bin'))).toEqual(Buffer.from([0, 1, 255]));
  });

  it('in a repository without commits', async () => {
    const { cwd, git, write } = newRepository();
    const { cwd: source } = shop();
    for (const file of ['tasks.md', 'do.sh']) write(file, readFileSync(join(source, file)));
    write('.git/info/exclude', 'tasks.md\ndo.sh\n');
    const failed = await runCli(cwd, [...one, ...fail]);
    expect(git('status', '--porcelain')).toBe('');
    git('apply', patchIn(failed.out));
    expect(git('status', '--porcelain')).toBe('?? TASK-001.txt');
  });

  it.each(['file:kept', 'sqlite:kept.db'])('a store inside the folder stays: %s', async (store) => {
    const { cwd, git, write, commit } = shop();
    write('.gitignore', 'kept*\n!kept-by-the-user\n');
    commit('ignore');
    const failed = await runCli(cwd, [...one, ...fail, '--store', store]);
    expect(git('status', '--porcelain')).toBe('');
    expect(readFileSync(patchIn(failed.out), 'utf8')).not.toContain('kept');
    const status = ['tasks', 'status', '--tasks', 'tasks.md', '--store', store];
    expect((await runCli(cwd, status)).out).toContain('TASK-001: failed');
  });

  it('failed work can still be overridden, although it was set aside', async () => {
    const { cwd, git } = shop();
    const failed = await runCli(cwd, [...one, ...fail]);
    expect(git('status', '--porcelain')).toBe('');
    const override = printed(failed.out, 'or', 'override');
    const unfilled = await runCli(cwd, [...argvIn(override), '--by', 'Ada']);
    expect(unfilled).toMatchObject({ code: 2, err: expect.stringContaining('reason_required') });
    const argv = argvIn(override.replace('...', 'it is small')).concat('--by', 'Ada');
    expect(await runCli(cwd, argv)).toMatchObject({ code: 0 });
    expect(git('show', '--format=%s', '--name-only')).toBe('TASK-001: Add tea\n\nTASK-001.txt');
  });

  it('the printed next: of a failure does the task again', async () => {
    const { cwd, write } = shop();
    const failed = await runCli(cwd, [
      ...[...one, '--test-command', 'test -e ok', '--attempts', '1', '--anew'],
    ]);
    const next = printed(failed.out, 'next');
    expect(next).toBe(
      "reviewloop tasks run --tasks tasks.md --task TASK-001 --exec 'sh do.sh' --attempts 1 --test-command 'test -e ok' # does the task again",
    );
    write('.git/info/exclude', '.reviewloop\nok\n');
    write('ok', '');
    expect((await runCli(cwd, argvIn(next))).code).toBe(0);
  });

  it('the printed next: of a waiting task is one command that answers it', async () => {
    const { cwd } = shop();
    const { server, flags } = await reviewer(() => 'failed');
    const waiting = await runCli(cwd, [...one, ...flags, '--hitl-review']);
    await server.close();
    expect(waiting.code).toBe(53);
    const next = printed(waiting.out, 'next');
    expect(next).toMatch(/^reviewloop answer \S+ approve --reason "\.\.\."$/);
    const unfilled = await runCli(cwd, argvIn(next));
    expect(unfilled.code).toBe(2);
    expect(unfilled.err).toContain('Give a reason');
    const filled = next.replace('"..."', '"seen by hand"');
    expect((await runCli(cwd, argvIn(filled))).code).toBe(0);
  });
});
