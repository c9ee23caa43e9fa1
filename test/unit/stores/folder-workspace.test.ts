import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderWorkspace } from '../../../src/stores/file/index.js';
import { workspaceContract } from '../../../src/testing/index.js';
import { newWorkspace, put, stateOf } from './workspace-support.js';

describe('folderWorkspace keeps the contract of workspaces', () => {
  const cases = workspaceContract(() => {
    const { root, workspace } = newWorkspace();
    return {
      workspace,
      write: async (path, text) => put(root, path, text),
      remove: async (path) => {
        rmSync(join(root, path));
        for (
          let above = join(root, path, '..');
          above !== root && readdirSync(above).length === 0;
          above = join(above, '..')
        )
          rmSync(above, { recursive: true });
      },
      read: async () =>
        Object.fromEntries(
          Object.entries(stateOf(root)).flatMap(([path, what]) =>
            what.startsWith('file ') ? [[path, readFileSync(join(root, path), 'utf8')]] : [],
          ),
        ),
    };
  });
  for (const { name, run } of cases) it(name, run);
});

describe('what folderWorkspace brings back', () => {
  it('is exactly what was there: modes, read-only files, empty folders, links, odd names', async () => {
    const { root, workspace } = newWorkspace();
    put(root, 'run.sh', '#!/bin/sh\n', 0o755);
    put(root, 'sealed.txt', 'do not write', 0o444);
    put(root, 'deep/er/ünï 😀\nsecond line.txt', 'x');
    put(root, '-rf', 'a name like an option');
    mkdirSync(join(root, 'empty/inside'), { recursive: true });
    chmodSync(join(root, 'empty'), 0o700);
    mkdirSync(join(root, 'locked'));
    put(root, 'locked/file', 'y');
    chmodSync(join(root, 'locked'), 0o555);
    symlinkSync('run.sh', join(root, 'to-file'));
    symlinkSync('/nowhere/at all', join(root, 'broken'));
    symlinkSync('deep', join(root, 'to-folder'));
    const before = stateOf(root);
    const digest = await workspace.snapshot();
    for (const name of readdirSync(root))
      rmSync(join(root, name), { recursive: true, force: true });
    put(root, 'empty', 'a file now');
    put(root, 'to-folder/real/file', 'a folder now');
    await workspace.restore(digest);
    expect(stateOf(root)).toEqual(before);
    expect(await workspace.snapshot()).toBe(digest);
    chmodSync(join(root, 'run.sh'), 0o644);
    chmodSync(join(root, 'empty'), 0o755);
    expect(await workspace.snapshot()).not.toBe(digest);
    await workspace.restore(digest);
    expect(stateOf(root)).toEqual(before);
  });

  it('leaves unchanged files alone, so that build tools see no change; the digest does not depend on times', async () => {
    const { root, workspace } = newWorkspace();
    put(root, 'a.txt', 'same');
    put(root, 'b.txt', 'other');
    const digest = await workspace.snapshot();
    utimesSync(join(root, 'a.txt'), 1000, 1000);
    expect(await workspace.snapshot()).toBe(digest);
    put(root, 'b.txt', 'changed');
    const { mtimeMs, ino } = statSync(join(root, 'a.txt'));
    await workspace.restore(digest);
    expect(statSync(join(root, 'a.txt'))).toMatchObject({ mtimeMs, ino });
    expect(readFileSync(join(root, 'b.txt'), 'utf8')).toBe('other');
  });

  it('sees a change that keeps size and time of modification', async () => {
    const { root, workspace } = newWorkspace();
    put(root, 'a.txt', 'one');
    utimesSync(join(root, 'a.txt'), 1000, 1000);
    const digest = await workspace.snapshot();
    writeFileSync(join(root, 'a.txt'), 'two');
    utimesSync(join(root, 'a.txt'), 1000, 1000);
    expect(await workspace.snapshot()).not.toBe(digest);
    await workspace.restore(digest);
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one');
  });

  it('has neither .git, .reviewloop, node_modules nor what is ignored, and never touches them', async () => {
    const { root, workspace } = newWorkspace({
      ignore: ['node_modules', '*.log', '/build/cache/'],
    });
    put(root, 'a.txt', 'one');
    const digest = await workspace.snapshot();
    for (const path of [
      '.git/HEAD',
      '.reviewloop/runs/x',
      'node_modules/p/index.js',
      'sub.log',
      'keep/x.log',
    ])
      put(root, path, 'left alone');
    rmSync(join(root, 'keep'), { recursive: true });
    expect(await workspace.snapshot()).toBe(digest);
    put(root, 'build/cache/x', 'left alone');
    put(root, 'build/out', 'kept');
    const withBuild = await workspace.snapshot();
    rmSync(join(root, 'build/out'));
    await workspace.restore(withBuild);
    expect(readFileSync(join(root, 'build/cache/x'), 'utf8')).toBe('left alone');
    await workspace.restore(digest);
    for (const path of ['.git/HEAD', '.reviewloop/runs/x', 'node_modules/p/index.js', 'sub.log'])
      expect(readFileSync(join(root, path), 'utf8')).toBe('left alone');
    expect(existsSync(join(root, 'build'))).toBe(false);
  });

  it('keeps its states inside of the folder without keeping itself, below a name that is left alone', async () => {
    const { root } = newWorkspace();
    put(root, 'a.txt', 'one');
    const workspace = folderWorkspace(root, { store: join(root, '.reviewloop/states') });
    const digest = await workspace.snapshot();
    expect(await workspace.snapshot()).toBe(digest);
    rmSync(join(root, 'a.txt'));
    await workspace.restore(digest);
    expect(stateOf(root)['a.txt']).toBe('file 644 one');
    expect(readFileSync(join(root, '.reviewloop/states/.gitignore'), 'utf8')).toBe('*\n');
  });

  it('holds a hundred megabytes of nothing, and brings them back as nothing', async () => {
    const { root, workspace } = newWorkspace();
    put(root, 'sparse.bin', '');
    truncateSync(join(root, 'sparse.bin'), 100_000_000);
    appendFileSync(join(root, 'sparse.bin'), 'end');
    const digest = await workspace.snapshot();
    writeFileSync(join(root, 'sparse.bin'), 'short');
    await workspace.restore(digest);
    const { size, blocks } = statSync(join(root, 'sparse.bin'));
    expect(size).toBe(100_000_003);
    expect(blocks * 512).toBeLessThan(10_000_000);
    expect(await workspace.snapshot()).toBe(digest);
  });
});
