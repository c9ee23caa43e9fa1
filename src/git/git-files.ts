import { checkKeys, checkPositive, checkWhole, invalid } from '../kernel/options.js';
import type { Diff } from '../ports/diff-source.js';
import type { FileSource } from '../ports/file-source.js';
import { readLinkless } from '../system/read-linkless.js';
import { type GitPlace, gitOutput, runGit } from './git-command.js';

/** Which repository is read, and how. */
export interface GitFilesOptions {
  /** A folder of the repository. @default the working directory */
  readonly cwd?: string | undefined;
  /** A file that is larger is not read. @default 2 MiB */
  readonly maxBytes?: number | undefined;
  /** Of one command. @default 60000 */
  readonly timeoutMs?: number | undefined;
}

/**
 * Reads the files of a git repository in the state that a diff ends with: a commit, what is staged, or the files as they are now. Links
 * are not followed, and no filter is started.
 *
 * @throws ReviewLoopError `invalid_options`. Its methods: `not_a_repository`, `git_failed`, `process_not_found`, `process_timeout`, `cancelled`.
 * @example
 * ```ts
 * const diff = await gitDiff().diff({ kind: 'staged' });
 * const text = await gitFiles(diff).read('src/index.ts');
 * ```
 */
export function gitFiles({ head }: Pick<Diff, 'head'>, options: GitFilesOptions = {}): FileSource {
  checkKeys('gitFiles', options, ['cwd', 'maxBytes', 'timeoutMs']);
  const { cwd = '.', maxBytes = 2 * 2 ** 20, timeoutMs = 60_000 } = options;
  if (typeof head !== 'string' || !/^(?:staged|working-tree|[0-9a-f]{40,64})$/.test(head)) throw invalid('head', "the head of a diff: the id of a commit, 'staged' or 'working-tree'", head);
  checkWhole('maxBytes', maxBytes, 1);
  checkPositive('timeoutMs', timeoutMs);
  let found: string | undefined;
  const top = async (place: GitPlace): Promise<string> => {
    found ??= (await gitOutput(['rev-parse', '--show-toplevel'], place)).replace(/\n$/, '');
    return found;
  };
  return {
    read: async (path, { signal } = {}) => {
      const place = { cwd, timeoutMs, signal, maxOutputBytes: maxBytes * 2 };
      const root = await top(place);
      if (head === 'working-tree') return readLinkless(root, path, maxBytes);
      return blob(head === 'staged' ? `:0:${path}` : `${head}:${path}`, { ...place, cwd: root }, maxBytes);
    },
    list: async (folder, { signal } = {}) => {
      const place = { cwd, timeoutMs, signal };
      const inRoot = { ...place, cwd: await top(place) };
      return head === 'staged' || head === 'working-tree' ? staged(folder, inRoot) : inCommit(head, folder, inRoot);
    },
  };
}

/** The text of a blob that is a file, not too large, and text. */
async function blob(name: string, place: GitPlace, maxBytes: number): Promise<string | undefined> {
  const size = await runGit(['cat-file', '-s', name], place);
  if (size.exitCode !== 0 || Number(size.stdout) > maxBytes) return undefined;
  const { exitCode, stdout } = await runGit(['cat-file', 'blob', name], place);
  return exitCode !== 0 || stdout.includes('\0') || stdout.includes('\ufffd') ? undefined : stdout;
}

const fileModes = /^100(?:644|755)$/;

async function staged(folder: string, place: GitPlace): Promise<string[]> {
  const output = await gitOutput(['ls-files', '--stage', '-z', '--', folder === '' ? '.' : folder], place);
  return entries(output, /^(\d+) \S+ 0\t([\s\S]*)$/, folder);
}

async function inCommit(head: string, folder: string, place: GitPlace): Promise<string[]> {
  const output = await gitOutput(['ls-tree', '-z', '--full-tree', head, ...(folder === '' ? [] : ['--', `${folder}/`])], place);
  return entries(output, /^(\d+) \S+ \S+\t([\s\S]*)$/, folder);
}

function entries(output: string, pattern: RegExp, folder: string): string[] {
  return output.split('\0').flatMap((entry) => {
    const [, mode = '', path = ''] = pattern.exec(entry) ?? [];
    const above = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
    return fileModes.test(mode) && above === folder ? [path] : [];
  });
}
