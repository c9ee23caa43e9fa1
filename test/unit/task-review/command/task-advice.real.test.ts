import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newRepository } from '../../../support/git-repository.js';
import { screen } from '../../../support/screen.js';
import { runCli } from '../../cli/harness.js';
import { argvIn, printed, reviewer, run, shop } from './task-shop.js';

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
    expect(
      git('status', '--porcelain', '-uall')
        .split('\n')
        .map((row) => row.trim()),
    ).toEqual([
      'M do.sh',
      'M shop.css',
      'D tasks-note.md',
      '?? "a/b/with space.txt"',
      '?? link',
      '?? logo.bin',
      '?? new.txt',
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
    const argv = argvIn(printed(failed.out, 'or', 'override')).concat('--by', 'Ada');
    expect(await runCli(cwd, argv)).toMatchObject({ code: 0 });
    expect(git('show', '--format=%s', '--name-only')).toBe('TASK-001: Add tea\n\nTASK-001.txt');
  });

  it('an override does not mix with changes of its own in the folder', async () => {
    const { cwd, git, write } = shop();
    const failed = await runCli(cwd, [...one, ...fail]);
    write('mine.txt', 'mine');
    const argv = argvIn(printed(failed.out, 'or', 'override')).concat('--by', 'Ada');
    expect(await runCli(cwd, argv)).toMatchObject({
      code: 2,
      err: expect.stringContaining('uncommitted changes'),
    });
    expect(readFileSync(join(cwd, 'mine.txt'), 'utf8')).toBe('mine');
    git('stash', '-qu');
    expect((await runCli(cwd, argv)).code).toBe(0);
    git('stash', 'pop', '-q');
    expect(readFileSync(join(cwd, 'mine.txt'), 'utf8')).toBe('mine');
  });

  it('the printed next: of a failure does the task again', async () => {
    const { cwd } = shop();
    const failed = await runCli(cwd, [...one, '--test-command', 'test -e ok', '--attempts', '1']);
    const next = printed(failed.out, 'next');
    expect(next).toBe(
      "reviewloop tasks run --tasks tasks.md --task TASK-001 --exec 'sh do.sh' --attempts 1 --test-command 'test -e ok' # does the task again",
    );
    execFileSync(
      'sh',
      ['-c', 'echo .reviewloop > .git/info/exclude; echo ok >> .git/info/exclude'],
      {
        cwd,
      },
    );
    execFileSync('touch', ['ok'], { cwd });
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
    expect(unfilled).toMatchObject({
      code: 2,
      err: expect.stringContaining('Give a reason') as string,
    });
    const filled = next.replace('"..."', '"seen by hand"');
    expect((await runCli(cwd, argvIn(filled))).code).toBe(0);
  });

  it('work that waits holds the folder, and says how to go on', async () => {
    const { cwd, git } = shop();
    await runCli(cwd, [...one, '--hitl-review']);
    const other = await runCli(cwd, [...run, '--task', 'TASK-003']);
    expect(other.out).toContain(
      'the folder contains the unfinished work on TASK-001: finish that task first, or set its work aside with --task TASK-001 --anew',
    );
    expect((await runCli(cwd, [...one, '--anew'])).code).toBe(0);
    expect((await runCli(cwd, [...run, '--task', 'TASK-003'])).code).toBe(0);
    expect(git('status', '--porcelain')).toBe('');
    expect(readdirSync(join(cwd, '.reviewloop/set-aside'))).toHaveLength(1);
  });

  it('a person who rejects at the terminal leaves a clean folder too', async () => {
    const { cwd, git } = shop();
    const { input, output, type } = screen();
    const asked = runCli(cwd, [...all, '--hitl-review', '--by', 'Ada'], {
      terminal: { input, output },
    });
    await type('[a]pprove', 'r\r');
    await type('[a]pprove', 's\r');
    const { out, code } = await asked;
    expect(out).toMatch(/TASK-001: failed {2}\(review: rejected\)[\s\S]*set aside: git apply/);
    expect(code).toBe(51);
    expect(git('status', '--porcelain')).toBe('');
  });
});
