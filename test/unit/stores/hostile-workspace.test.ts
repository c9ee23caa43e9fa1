import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderWorkspace } from '../../../src/stores/file/index.js';
import { emptyDirectory } from './file-support.js';
import { blobsOf, newWorkspace, put, stateOf } from './workspace-support.js';

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
    await expect(workspace.restore(digest)).rejects.toMatchObject({
      code: 'workspace_damaged',
      message: expect.stringContaining('b.txt'),
    });
    expect(stateOf(root)).toEqual({ 'new.txt': 'file 644 new' });
  });

  it('refuses a damaged list, and a digest that it never gave', async () => {
    const { root, store, workspace } = newWorkspace();
    put(root, 'a.txt', 'one');
    const digest = await workspace.snapshot();
    await expect(workspace.restore('f'.repeat(64))).rejects.toMatchObject({
      code: 'workspace_missing',
    });
    appendFileSync(join(store, 'trees', digest), ' ');
    await expect(workspace.restore(digest)).rejects.toMatchObject({ code: 'workspace_damaged' });
    expect(stateOf(root)).toEqual({ 'a.txt': 'file 644 one' });
  });

  it('names a pipe and a socket that cannot be kept, and removes them when it brings a state back', async () => {
    const { root, workspace } = newWorkspace();
    const empty = await workspace.snapshot();
    execFileSync('sh', ['-c', 'mkfifo "$1"', 'sh', join(root, 'a pipe')]);
    await expect(workspace.snapshot()).rejects.toMatchObject({
      code: 'workspace_unreadable',
      message: expect.stringContaining('"a pipe" is a pipe'),
    });
    await workspace.restore(empty);
    expect(stateOf(root)).toEqual({});
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(root, 's'), resolve));
    await expect(workspace.snapshot()).rejects.toMatchObject({
      code: 'workspace_unreadable',
      message: expect.stringContaining('"s" is a socket'),
    });
    await new Promise((resolve) => server.close(resolve));
  });

  it('names what has a name that is no text', async () => {
    const { root, workspace } = newWorkspace();
    writeFileSync(Buffer.concat([Buffer.from(join(root, 'bad-')), Buffer.from([0xff, 0xfe])]), 'x');
    await expect(workspace.snapshot()).rejects.toMatchObject({
      code: 'workspace_unreadable',
      message: expect.stringContaining('bad-'),
    });
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
    await expect(workspace.snapshot()).rejects.toMatchObject({
      code: 'workspace_changed',
      message: expect.stringContaining('a.log'),
    });
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

  it.each([
    ['a folder that is not there', () => folderWorkspace('/does/not/exist')],
    ['a file', () => folderWorkspace(join(import.meta.dirname, 'hostile-workspace.test.ts'))],
    ['nothing', () => folderWorkspace('')],
    ['an unknown option', () => folderWorkspace(emptyDirectory(), { exclude: [] } as object)],
    ['a bad ignore list', () => folderWorkspace(emptyDirectory(), { ignore: [''] })],
    [
      'states in the middle of the folder',
      () => {
        const { root } = newWorkspace();
        folderWorkspace(root, { store: join(root, 'states') });
      },
    ],
    [
      'states in place of the folder',
      () => {
        const { root } = newWorkspace();
        folderWorkspace(root, { store: root });
      },
    ],
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
