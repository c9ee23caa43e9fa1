import { ReviewLoopError } from '../../core/errors.js';
import { foldsCase } from '../folder-state.js';
import { gitErrors } from './errors.js';
import { type GitPlace, gitError, gitFields, gitOutput, nameText, runGit } from './git-command.js';

export interface Repository {
  readonly top: string;
  /** The folder within the top, with a slash at its end; '' for the top. */
  readonly prefix: string;
  readonly gitFolder: string;
  readonly index: string;
  readonly objects: string;
  /** The attributes that only this clone knows. */
  readonly attributes: string;
  /** The ignore rules that only this clone knows. */
  readonly exclude: string;
  readonly emptyTree: string;
}

const asked = [
  ['--show-toplevel'],
  ['--show-prefix'],
  ['--absolute-git-dir'],
  ['--git-path', 'index'],
  ['--git-path', 'objects'],
  ['--git-path', 'info/attributes'],
  ['--git-path', 'info/exclude'],
  ['--show-object-format'],
];

const emptyTrees: Readonly<Record<string, string>> = {
  sha1: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  sha256: '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321',
};

/** The place is in the working tree. One process of git tells all. */
export async function repositoryAt(place: GitPlace): Promise<Repository> {
  const args = ['rev-parse', '--path-format=absolute', '--is-inside-work-tree', ...asked.flat()];
  const result = await runGit(args, place);
  const [inside, ...lines] = result.stdout.split('\n');
  if (inside === 'false')
    throw new ReviewLoopError(
      gitErrors.not_a_repository,
      `${place.cwd} is in a repository without a working tree (bare, or its .git folder)`,
      { value: place.cwd },
    );
  if (result.exitCode !== 0) throw gitError(args, place, result);
  // a path with a line break needs a process of its own
  const told = lines.length === asked.length + 1 ? lines : await oneByOne(place);
  const [top = '', prefix = '', gitFolder = '', index = '', objects = ''] = told;
  const [attributes = '', exclude = '', format = ''] = told.slice(5);
  const emptyTree = emptyTrees[format];
  if (emptyTree === undefined)
    throw new ReviewLoopError(
      gitErrors.git_failed,
      `the repository of ${place.cwd} has an unknown format of objects: ${format}`,
      { value: format },
    );
  return { top, prefix, gitFolder, index, objects, attributes, exclude, emptyTree };
}

function oneByOne(place: GitPlace): Promise<string[]> {
  return Promise.all(
    asked.map(async (one) => {
      const told = await gitOutput(['rev-parse', '--path-format=absolute', ...one], place);
      return told.replace(/\n$/, '');
    }),
  );
}

/**
 * They override those of the repository: no filter program runs, and files whose names differ in
 * letter case are different files, unless the file system folds case.
 */
export async function repositorySettings(
  { gitFolder }: Repository,
  place: GitPlace,
): Promise<readonly (readonly [string, string])[]> {
  const [folds, filters] = await Promise.all([foldsCase(gitFolder, 'HEAD'), withoutFilters(place)]);
  return folds ? filters : [['core.ignoreCase', 'false'] as const, ...filters];
}

/** Disables every filter program, so that reading a file runs none. */
async function withoutFilters(place: GitPlace): Promise<readonly (readonly [string, string])[]> {
  const { stdout, exitCode } = await runGit(
    [
      'config',
      '--null',
      '--name-only',
      '--get-regexp',
      '^filter\\..*\\.(clean|smudge|process|required)$',
    ],
    place,
  );
  if (exitCode !== 0) return [];
  const names = stdout.split('\0').filter((name) => name !== '');
  return [...new Set(names)].map(
    (name) => [name, name.endsWith('.required') ? 'false' : ''] as const,
  );
}

/** Undefined before the first commit. */
export async function headOf(place: GitPlace): Promise<string | undefined> {
  const { exitCode, stdout } = await runGit(
    ['rev-parse', '--verify', '--quiet', '--end-of-options', 'HEAD^{commit}'],
    place,
  );
  return exitCode === 0 ? stdout.trim() : undefined;
}

/** A leading dash never makes the text an option. */
export async function commitOf(revision: string, place: GitPlace): Promise<string> {
  const shown = JSON.stringify(String(revision).slice(0, 200));
  if (typeof revision !== 'string' || revision.trim() === '' || revision.includes('\0'))
    throw new ReviewLoopError(
      gitErrors.revision_unknown,
      `expected the name of a commit, got ${shown}`,
      {
        value: revision,
      },
    );
  const { exitCode, stdout } = await runGit(
    ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`],
    place,
  );
  const id = stdout.trim();
  if (exitCode !== 0 || !/^[0-9a-f]{40,64}$/.test(id))
    throw new ReviewLoopError(
      gitErrors.revision_unknown,
      `the repository of ${place.cwd} has no commit ${shown}`,
      { value: revision },
    );
  return id;
}

export async function mergeBaseOf(left: string, right: string, place: GitPlace): Promise<string> {
  const { exitCode, stdout } = await runGit(['merge-base', left, right], place);
  const id = stdout.trim();
  if (exitCode !== 0 || id === '')
    throw new ReviewLoopError(
      gitErrors.revision_unknown,
      `the commits ${left} and ${right} have no common history`,
      { value: [left, right] },
    );
  return id;
}

/**
 * The staged version is neither the committed one nor the one in the folder. A review sees one of
 * the two.
 */
export async function filesInTwoVersions(
  cwd: string,
  { paths, signal }: { readonly paths: readonly string[]; readonly signal: AbortSignal },
): Promise<string[]> {
  const place = { cwd, timeoutMs: 60_000, signal };
  const only = ['--name-only', '-z', '--', ...paths];
  const head = await gitOutput(['rev-parse', '--verify', '--quiet', 'HEAD'], place).catch(() => '');
  if (head === '') return [];
  const staged = await gitFields(['diff-index', '--cached', 'HEAD', ...only], place);
  if (staged.length === 0) return [];
  const edited = new Set(await gitFields(['diff-files', ...only], place));
  return staged.filter((name) => edited.has(name)).map(nameText);
}
