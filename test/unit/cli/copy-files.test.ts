import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { FileCopy } from '../../../src/cli/store/copy-files.js';

it.runIf(process.platform !== 'win32').each([
  ['a linked file', 'summary.md'],
  ['a linked folder', 'output'],
  ['a linked file of the output', join('output', 'page.html')],
])('store copy copies no other files through %s, and says so', async (_, name) => {
  const folder = await mkdtemp(join(tmpdir(), 'reviewloop-copy-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [from, to, other] = ['from', 'to', 'other'].map((part) => join(folder, part)) as [
    string,
    string,
    string,
  ];
  await mkdir(join(from, 'runs', 'r', 'output'), { recursive: true });
  await mkdir(other);
  await writeFile(join(other, 'private.txt'), 'private');
  const linked = join(from, 'runs', 'r', name);
  await rm(linked, { recursive: true, force: true });
  await symlink(name === 'output' ? other : join(other, 'private.txt'), linked);
  await expect(new FileCopy(from, to).run('r', 'r', true)).rejects.toMatchObject({
    code: 'file_unreadable',
    message: expect.stringContaining('it is a symbolic link, which is not followed') as string,
  });
  expect(await readdir(to, { recursive: true }).catch(() => [])).toEqual([]);
});
