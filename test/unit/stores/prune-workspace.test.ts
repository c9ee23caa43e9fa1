import { readdirSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { definePipeline } from '../../../src/index.js';
import { fileStore, pruneWorkspace } from '../../../src/stores/file/index.js';
import { blobsOf, newWorkspace, put, stateOf } from './workspace-support.js';

describe('pruneWorkspace', () => {
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
    expect(await pruneWorkspace(store, { olderThanMs: 3_600_000 })).toEqual({
      states: [old],
      contents: 1,
    });
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
    expect(await pruneWorkspace(store, { olderThanMs: 1, runs })).toEqual({
      states: [],
      contents: 0,
    });
    expect(await pruneWorkspace(store, { olderThanMs: 1, keep: 2 })).toEqual({
      states: [],
      contents: 0,
    });
    expect((await pruneWorkspace(store, { olderThanMs: 1 })).states).toHaveLength(2);
    expect(await pruneWorkspace(join(top, 'never'), { olderThanMs: 1 })).toEqual({
      states: [],
      contents: 0,
    });
  });

  it('is refused while a run uses the workspace, and with bad options', async () => {
    const { store, workspace } = newWorkspace();
    const claim = await workspace.claim?.();
    await expect(pruneWorkspace(store, { olderThanMs: 0 })).rejects.toMatchObject({
      code: 'workspace_busy',
    });
    await claim?.release();
    await expect(pruneWorkspace(store, { olderThanMs: -1 })).rejects.toMatchObject({
      code: 'invalid_options',
    });
    await expect(pruneWorkspace('', { olderThanMs: 1 })).rejects.toMatchObject({
      code: 'invalid_options',
    });
  });
});
