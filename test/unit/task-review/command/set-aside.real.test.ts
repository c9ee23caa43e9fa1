import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { setAside } from '../../../../src/task-review/command/set-aside.js';
import { shop } from './task-shop.js';

/** A repository with work on a task that is not committed. */
function begun(id = 'T-1', store = '.reviewloop') {
  const made = shop();
  const record = {
    root: made.cwd,
    folder: made.cwd,
    task: { id, name: 'x' },
    runId: 'run-12345678',
  };
  return {
    ...made,
    aside: () =>
      setAside(
        { ...record, task: { ...record.task, checklist: [], dependsOn: [] } },
        join(made.cwd, store),
      ),
  };
}

it('the changes of a folder become a patch that brings them back, for this user alone', async () => {
  const { git, write, aside } = begun();
  expect(await aside()).toBeUndefined();
  write('new.txt', 'one\n');
  write('do.sh', 'changed\n');
  const patch = (await aside()) ?? '';
  expect(basename(patch)).toBe('T-1-12345678.patch');
  expect(statSync(patch).mode & 0o777).toBe(0o600);
  expect(git('status', '--porcelain', '--', ':!.reviewloop')).toBe('');
  git('apply', patch);
  expect(git('status', '--porcelain', '--', ':!.reviewloop')).toBe('M do.sh\n?? new.txt');
  git('config', 'diff.external', 'false');
  git('config', 'diff.mnemonicPrefix', 'true');
  const again = (await aside()) ?? '';
  expect(basename(again)).toBe('T-1-12345678-2.patch');
  expect(readFileSync(again, 'utf8')).toBe(readFileSync(patch, 'utf8'));
  expect(readFileSync(patch, 'utf8')).toMatch(/^diff --git a\/do\.sh b\/do\.sh$/m);
});

it('a patch has a name for any file system, whatever the id of its task', async () => {
  const { write, aside } = begun(`../a b/${'x'.repeat(200)}`);
  write('new.txt', 'one\n');
  const patch = (await aside()) ?? '';
  expect(basename(patch)).toMatch(/^x{91}-12345678\.patch$/);
  const short = begun('a/b:c');
  short.write('new.txt', 'one\n');
  expect(basename((await short.aside()) ?? '')).toBe('a_b_c-12345678.patch');
});

it('a store in the folder stays, under any name', async () => {
  const { cwd, write, aside } = begun('T-1', 'kept');
  write('kept/runs/a.json', '{}');
  write('kept-wal', 'x');
  write('new.txt', 'one\n');
  const patch = (await aside()) ?? '';
  expect(patch.startsWith(join(cwd, 'kept/set-aside'))).toBe(true);
  expect(readFileSync(patch, 'utf8')).not.toContain('a.json');
  expect(readFileSync(patch, 'utf8')).not.toContain('kept-wal');
  for (const path of ['kept/runs/a.json', 'kept-wal'])
    expect(existsSync(join(cwd, path))).toBe(true);
  expect(existsSync(join(cwd, 'new.txt'))).toBe(false);
});

it('changes inside of a submodule, which no patch can show, stay where they are', async () => {
  const { cwd, git, write, aside } = begun();
  git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', shop().cwd, 'lib');
  git('commit', '-qm', 'lib');
  write('lib/do.sh', 'changed\n');
  await expect(aside()).rejects.toMatchObject({ code: 'git_failed', value: cwd });
  expect(readFileSync(join(cwd, 'lib/do.sh'), 'utf8')).toBe('changed\n');
  expect(readdirSync(join(cwd, '.reviewloop/set-aside'))).toEqual([]);
});
