import { describe, expect, it } from 'vitest';
import { yesServer } from '../../../support/yes-judge.js';
import { runCli } from '../../cli/harness.js';
import { shop } from './task-shop.js';

const flags = ['--assume-unchanged', '--skip-worktree'];
const argv = ['tasks', 'run', '--tasks', 'tasks.md', '--exec', 'sh do.sh', '--task', 'TASK-001'];

describe.each(flags)('changes that git was told to overlook: %s', (flag) => {
  it('are reviewed, and no commit pretends to contain them', async () => {
    const { cwd, git, write, commit } = shop(
      `git update-index ${flag} kept.txt\necho evil >> kept.txt\necho new > new.txt\n`,
    );
    write('kept.txt', 'kept\n');
    commit('kept');
    const { seen, flags: model, close } = await yesServer();
    const { code, out, err } = await runCli(cwd, [...argv, ...model]);
    await close();
    expect(JSON.stringify(seen)).toContain('+evil');
    expect(code, out + err).toBe(1);
    expect(out + err).toContain('git was told to overlook the changes of kept.txt');
    expect(git('log', '-1', '--format=%s')).toBe('kept');
  });

  it('are told before any work is done', async () => {
    const { cwd, git, write, commit } = shop('echo new > new.txt\n');
    write('kept.txt', 'kept\n');
    commit('kept');
    git('update-index', flag, 'kept.txt');
    expect((await runCli(cwd, argv)).code).toBe(0);
    write('kept.txt', 'mine\n');
    const { code, out, err } = await runCli(cwd, [...argv.slice(0, -1), 'TASK-002']);
    expect(code).not.toBe(0);
    expect(out + err).toContain('git was told to overlook the changes of kept.txt');
    expect(git('log', '--format=%s')).not.toContain('TASK-002');
  });
});
