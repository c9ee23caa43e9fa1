// A folder of files of 2 kB in 20 folders, kept and brought back.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { answer, given } from '../lib/child.mjs';
import { dist, root } from '../lib/library.mjs';

const { files } = given();
const { folderWorkspace } = await import(pathToFileURL(`${dist}/stores/file.js`).href);
const directory = mkdtempSync(join(root, 'bench/results/workspace-'));
process.on('exit', () => rmSync(directory, { recursive: true, force: true }));
const work = join(directory, 'work');
const pathOf = (index) => join(work, `folder-${index % 20}`, `${index}.txt`);
for (let index = 0; index < 20; index += 1)
  mkdirSync(join(work, `folder-${index}`), { recursive: true });
for (let index = 0; index < files; index += 1)
  writeFileSync(pathOf(index), `${index} `.repeat(500).slice(0, 2000));
// files that have just been written are read again, to be sure; those of a real project are older
await new Promise((resolve) => setTimeout(resolve, 2500));

const workspace = folderWorkspace(work, { store: join(directory, 'states') });
const timed = async (job) => {
  const start = performance.now();
  const value = await job();
  return { value, ms: performance.now() - start };
};
const first = await timed(() => workspace.snapshot());
const unchanged = await timed(() => workspace.snapshot());
writeFileSync(pathOf(7), 'changed');
const changed = await timed(() => workspace.snapshot());
const restoreOne = await timed(() => workspace.restore(first.value));
const same =
  (await workspace.snapshot()) === first.value &&
  first.value === unchanged.value &&
  changed.value !== first.value;
for (let index = 0; index < 20; index += 1)
  rmSync(join(work, `folder-${index}`), { recursive: true });
const restoreAll = await timed(() => workspace.restore(first.value));
answer({
  first: first.ms,
  unchanged: unchanged.ms,
  changed: changed.ms,
  restoreOne: restoreOne.ms,
  restoreAll: restoreAll.ms,
  same: same && (await workspace.snapshot()) === first.value,
});
