import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileStore, folderWorkspace, pruneWorkspace } from '@/adapters/stores/file/index.js';
import { definePipeline } from '@/index.js';
import { workspaceContract } from '@/testing/index.js';
import { errorWith, expectCode } from '../../../support/matchers.js';
import { emptyDirectory } from './file-support.js';
import { blobsOf, newWorkspace, put, stateOf } from './workspace-support.js';

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

describe('folderWorkspace and what is hostile', () => {
  it('never follows a link out of the folder, neither to write nor to remove', async () => {
    const { top, root, workspace } = newWorkspace();
    put(top, 'outside/precious.txt', 'precious');
    put(root, 'docs/precious.txt', 'inner');
    put(root, 'file.txt', 'inner');
    const digest = await workspace.snapshot();
    rmSync(join(root, 'docs'), { recursive: true });
    symlinkSync(join(top, 'outside'), join(root, 'docs'));
    rmSync(join(root, 'file.txt'));
    symlinkSync(join(top, 'outside/precious.txt'), join(root, 'file.txt'));
    symlinkSync(join(top, 'outside'), join(root, 'added'));
    const linked = await workspace.snapshot();
    await workspace.restore(digest);
    expect(stateOf(root)).toEqual({
      docs: 'folder 755',
      'docs/precious.txt': 'file 644 inner',
      'file.txt': 'file 644 inner',
    });
    await workspace.restore(linked);
    expect(lstatSync(join(root, 'docs')).isSymbolicLink()).toBe(true);
    expect(stateOf(join(top, 'outside'))).toEqual({ 'precious.txt': 'file 644 precious' });
  });

  it('does not change another name of the same file', async () => {
    const { top, root, workspace } = newWorkspace();
    put(root, 'a.txt', 'one');
    const digest = await workspace.snapshot();
    rmSync(join(root, 'a.txt'));
    put(top, 'elsewhere.txt', 'precious');
    execFileSync('ln', [join(top, 'elsewhere.txt'), join(root, 'a.txt')]);
    await workspace.restore(digest);
    expect(readFileSync(join(top, 'elsewhere.txt'), 'utf8')).toBe('precious');
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one');
  });

  it('refuses a list of a state that leads out of the folder', async () => {
    const { top, root, store, workspace } = newWorkspace();
    const { hash } = await import('node:crypto');
    await workspace.snapshot();
    for (const path of ['../evil', '/etc/evil', 'a/../../evil', '', 'missing-parent/x']) {
      const text = JSON.stringify({ version: 1, entries: [{ path, kind: 'folder', mode: 493 }] });
      const digest = hash('sha256', text);
      writeFileSync(join(store, 'trees', digest), text);
      await expect(workspace.restore(digest)).rejects.toMatchObject({ code: 'workspace_damaged' });
    }
    expect(stateOf(root)).toEqual({});
    expect(existsSync(join(top, 'evil'))).toBe(false);
  });

  it.each([
    ['missing', (path: string) => unlinkSync(path)],
    ['cut off', (path: string) => truncateSync(path, 3)],
    ['changed', (path: string) => writeFileSync(path, 'else')],
  ])('finds a content that is %s before it changes anything', async (_, damage) => {
    const { root, store, workspace } = newWorkspace();
    put(root, 'a.txt', 'one');
    put(root, 'b.txt', 'four');
    const digest = await workspace.snapshot();
    for (const name of readdirSync(root)) rmSync(join(root, name));
    put(root, 'new.txt', 'new');
    const blob = blobsOf(store).find((path) => readFileSync(path, 'utf8') === 'four');
    damage(blob!);
    await expect(workspace.restore(digest)).rejects.toMatchObject(
      errorWith('workspace_damaged', 'b.txt'),
    );
    expect(stateOf(root)).toEqual({ 'new.txt': 'file 644 new' });
  });

  it('refuses a damaged list, and a digest that it never gave', async () => {
    const { root, store, workspace } = newWorkspace();
    put(root, 'a.txt', 'one');
    const digest = await workspace.snapshot();
    await expectCode(workspace.restore('f'.repeat(64)), 'workspace_missing');
    appendFileSync(join(store, 'trees', digest), ' ');
    await expect(workspace.restore(digest)).rejects.toMatchObject({ code: 'workspace_damaged' });
    expect(stateOf(root)).toEqual({ 'a.txt': 'file 644 one' });
  });

  it('names a pipe and a socket that cannot be kept, and removes them when it brings a state back', async () => {
    const { root, workspace } = newWorkspace();
    const empty = await workspace.snapshot();
    execFileSync('sh', ['-c', 'mkfifo "$1"', 'sh', join(root, 'a pipe')]);
    await expect(workspace.snapshot()).rejects.toMatchObject(
      errorWith('workspace_unreadable', '"a pipe" is a pipe'),
    );
    await workspace.restore(empty);
    expect(stateOf(root)).toEqual({});
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(root, 's'), resolve));
    await expect(workspace.snapshot()).rejects.toMatchObject(
      errorWith('workspace_unreadable', '"s" is a socket'),
    );
    await new Promise((resolve) => server.close(resolve));
  });

  it('names what has a name that is no text', async () => {
    const { root, workspace } = newWorkspace();
    writeFileSync(Buffer.concat([Buffer.from(join(root, 'bad-')), Buffer.from([0xff, 0xfe])]), 'x');
    await expect(workspace.snapshot()).rejects.toMatchObject(
      errorWith('workspace_unreadable', 'bad-'),
    );
  });

  it('notices a file that does not hold still', async () => {
    const { root, workspace } = newWorkspace();
    put(root, 'a.log', 'x');
    let busy = true;
    const grow = (): void => {
      appendFileSync(join(root, 'a.log'), 'x');
      if (busy) setImmediate(grow);
    };
    grow();
    await expect(workspace.snapshot()).rejects.toMatchObject(
      errorWith('workspace_changed', 'a.log'),
    );
    busy = false;
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    expect(await workspace.snapshot()).toMatch(/^[0-9a-f]{64}$/);
  });

  it('removes what a restore that was cut off has left, and does not keep it', async () => {
    const { root, workspace } = newWorkspace();
    const empty = await workspace.snapshot();
    put(root, '.reviewloop-0123456789abcdef.tmp', 'half');
    expect(await workspace.snapshot()).toBe(empty);
    await workspace.restore(empty);
    expect(stateOf(root)).toEqual({});
  });

  const nested = (name: string) => {
    const { root } = newWorkspace();
    folderWorkspace(root, { store: join(root, name) });
  };
  it.each([
    ['a folder that is not there', () => folderWorkspace('/does/not/exist')],
    ['a file', () => folderWorkspace(import.meta.filename)],
    ['nothing', () => folderWorkspace('')],
    ['an unknown option', () => folderWorkspace(emptyDirectory(), { exclude: [] } as object)],
    ['a bad ignore list', () => folderWorkspace(emptyDirectory(), { ignore: [''] })],
    ['states in the middle of the folder', () => nested('states')],
    ['states in place of the folder', () => nested('')],
  ])('refuses %s when it is built', (_, build) => {
    expect(build).toThrow(expect.objectContaining({ code: 'invalid_options' }));
  });

  it('fails with a typed error when the folder has gone', async () => {
    const { top, root, workspace } = newWorkspace();
    const digest = await workspace.snapshot();
    renameSync(root, join(top, 'moved'));
    await expect(workspace.snapshot()).rejects.toMatchObject({ code: 'workspace_changed' });
    await expect(workspace.restore(digest)).rejects.toMatchObject({ code: 'workspace_changed' });
  });
});

describe('pruneWorkspace', () => {
  const pruned = async (...given: Parameters<typeof pruneWorkspace>) => {
    const { states, contents } = await pruneWorkspace(...given);
    return [states, contents];
  };
  const aged = (store: string, digest: string): void => {
    for (const entry of [...blobsOf(store), join(store, 'trees', digest)])
      utimesSync(entry, 1000, 1000);
  };

  it('forgets old states and the contents that nobody needs, and no others', async () => {
    const { root, store, workspace } = newWorkspace();
    put(root, 'shared.txt', 'shared');
    put(root, 'old.txt', 'old');
    const old = await workspace.snapshot();
    aged(store, old);
    rmSync(join(root, 'old.txt'));
    const recent = await workspace.snapshot();
    expect(await pruned(store, { olderThanMs: 3_600_000 })).toEqual([[old], 1]);
    await expect(workspace.restore(old)).rejects.toMatchObject({ code: 'workspace_missing' });
    rmSync(join(root, 'shared.txt'));
    await workspace.restore(recent);
    expect(stateOf(root)).toEqual({ 'shared.txt': 'file 644 shared' });
  });

  it('keeps the newest, and what unfinished runs have recorded', async () => {
    const { top, root, store, workspace } = newWorkspace();
    const runs = fileStore(join(top, 'runs-store'));
    const pipeline = definePipeline<string, string>({
      workspace,
      store: runs,
      human: { policy: 'require' },
      produce: async () => {
        put(root, 'a.txt', 'waiting');
        return 'done';
      },
      criteria: { fine: () => true },
    });
    const waiting = await pipeline.run('task', { runId: 'r' });
    expect(waiting.status).toBe('suspended');
    for (const name of readdirSync(join(store, 'trees'))) aged(store, name);
    expect(await pruned(store, { olderThanMs: 1, runs })).toEqual([[], 0]);
    expect(await pruned(store, { olderThanMs: 1, keep: 2 })).toEqual([[], 0]);
    expect((await pruned(store, { olderThanMs: 1 }))[0]).toHaveLength(2);
    expect(await pruned(join(top, 'never'), { olderThanMs: 1 })).toEqual([[], 0]);
  });

  it('is refused while a run uses the workspace, and with bad options', async () => {
    const { store, workspace } = newWorkspace();
    const claim = await workspace.claim?.();
    await expectCode(pruneWorkspace(store, { olderThanMs: 0 }), 'workspace_busy');
    await claim?.release();
    await expectCode(pruneWorkspace(store, { olderThanMs: -1 }), 'invalid_options');
    await expectCode(pruneWorkspace('', { olderThanMs: 1 }), 'invalid_options');
  });
});
