import { checkKeys, checkPositive, checkWhole, invalid } from '../core/options.js';
import type { Diff } from '../diff/diff-source.js';
import type { FileSource } from '../diff/file-source.js';
import { readRegularFile } from '../node/read-regular-file.js';
import { BlobReader } from './blob-reader.js';
import { type GitPlace, gitOutput } from './git-command.js';

export interface GitFilesOptions {
  /** A folder in the repository. @default the working directory */
  readonly cwd?: string | undefined;
  /** The largest size of a file, in bytes; from 1. Larger files are not read. @default 2097152 */
  readonly maxBytes?: number | undefined;
  /** The timeout of one command, in milliseconds. @default 60000 */
  readonly timeoutMs?: number | undefined;
}

/**
 * Creates a reader of files at the end of a diff: a commit, the index, or the working tree. It
 * follows no links and starts no filters.
 *
 * @throws ReviewLoopError `invalid_options`; methods reject with `not_a_repository`,
 *   `git_failed`, `process_not_found`, `process_timeout`, `cancelled`
 * @example
 * ```ts
 * const diff = await gitDiff().diff({ kind: 'staged' });
 * const text = await gitFiles(diff).read('src/index.ts');
 * ```
 */
export function gitFiles({ head }: Pick<Diff, 'head'>, options: GitFilesOptions = {}): FileSource {
  checkKeys('gitFiles', options, ['cwd', 'maxBytes', 'timeoutMs']);
  const { cwd = '.', maxBytes = 2 * 2 ** 20, timeoutMs = 60_000 } = options;
  if (typeof head !== 'string' || !/^(?:staged|working-tree|[0-9a-f]{40,64})$/.test(head))
    throw invalid(
      'head',
      "the head of a diff: the id of a commit, 'staged' or 'working-tree'",
      head,
    );
  checkWhole('maxBytes', maxBytes, 1);
  checkPositive('timeoutMs', timeoutMs);
  const blobs = new BlobReader(maxBytes);
  let found: Promise<string> | undefined;
  const top = async (): Promise<string> => {
    found ??= gitOutput(['rev-parse', '--show-toplevel'], { cwd, timeoutMs });
    try {
      return (await found).replace(/\n$/, '');
    } catch (error) {
      found = undefined;
      throw error;
    }
  };
  return {
    read: async (path, { signal } = {}) => {
      const root = await top();
      if (head === 'working-tree') return readRegularFile(root, path, maxBytes);
      return blobs.read(head === 'staged' ? `:0:${path}` : `${head}:${path}`, {
        cwd: root,
        timeoutMs,
        signal,
      });
    },
    list: async (folder, { signal } = {}) => {
      const inRoot = { cwd: await top(), timeoutMs, signal };
      return head === 'staged' || head === 'working-tree'
        ? staged(folder, inRoot)
        : inCommit(head, folder, inRoot);
    },
  };
}

const fileModes = /^100(?:644|755)$/;

async function staged(folder: string, place: GitPlace): Promise<string[]> {
  const output = await gitOutput(
    ['ls-files', '--stage', '-z', '--', folder === '' ? '.' : folder],
    place,
  );
  return entries(output, /^(\d+) \S+ 0\t([\s\S]*)$/, folder);
}

async function inCommit(head: string, folder: string, place: GitPlace): Promise<string[]> {
  const output = await gitOutput(
    ['ls-tree', '-z', '--full-tree', head, ...(folder === '' ? [] : ['--', `${folder}/`])],
    place,
  );
  return entries(output, /^(\d+) \S+ \S+\t([\s\S]*)$/, folder);
}

function entries(output: string, pattern: RegExp, folder: string): string[] {
  return output.split('\0').flatMap((entry) => {
    const [, mode = '', path = ''] = pattern.exec(entry) ?? [];
    const above = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
    return fileModes.test(mode) && above === folder ? [path] : [];
  });
}
