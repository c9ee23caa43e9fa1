import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { folderWorkspace } from '@/adapters/stores/file/index.js';
import type { FolderWorkspaceOptions } from '@/adapters/stores/workspace/folder-workspace.js';
import { emptyDirectory } from './file-support.js';

/** A new folder with a workspace over it, whose states are kept beside it. */
export function newWorkspace(options: FolderWorkspaceOptions = {}) {
  const top = emptyDirectory();
  const root = join(top, 'work');
  const store = join(top, 'states');
  mkdirSync(root, { recursive: true });
  return { top, root, store, workspace: folderWorkspace(root, { store, ...options }) };
}

export function put(root: string, path: string, content: string | Buffer, mode = 0o644): void {
  const absolute = join(root, path);
  mkdirSync(dirname(absolute), { recursive: true });
  rmSync(absolute, { recursive: true, force: true });
  writeFileSync(absolute, content);
  chmodSync(absolute, mode);
}

/** Everything below a folder, with kinds, modes and contents, as one object to compare. */
export function stateOf(root: string, under = ''): Record<string, string> {
  const state: Record<string, string> = {};
  for (const name of readdirSync(join(root, under)).sort()) {
    const path = under === '' ? name : `${under}/${name}`;
    const stats = lstatSync(join(root, path));
    const mode = (stats.mode & 0o7777).toString(8);
    if (stats.isSymbolicLink()) state[path] = `link ${readlinkSync(join(root, path))}`;
    else if (stats.isDirectory())
      Object.assign(state, { [path]: `folder ${mode}` }, stateOf(root, path));
    else
      state[path] = stats.isFile()
        ? `file ${mode} ${stats.size > 100_000 ? stats.size : readFileSync(join(root, path), 'latin1')}`
        : 'other';
  }
  return state;
}

/** Every file that holds the content of one. */
export function blobsOf(store: string): readonly string[] {
  const entries = readdirSync(join(store, 'blobs'), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}
