import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { newWorkspace, put } from './workspace-support.js';

it('folderWorkspace holds ten thousand files', async () => {
  const { root, workspace } = newWorkspace();
  for (let index = 0; index < 10_000; index += 1) {
    const folder = join(root, `folder-${index % 50}`);
    if (index < 50) mkdirSync(folder);
    writeFileSync(join(folder, `${index}.txt`), `${index % 100}`);
  }
  const digest = await workspace.snapshot();
  rmSync(join(root, 'folder-7'), { recursive: true });
  put(root, 'folder-8/8.txt', 'changed');
  await workspace.restore(digest);
  expect(await workspace.snapshot()).toBe(digest);
  expect(readdirSync(join(root, 'folder-7'))).toHaveLength(200);
});
