import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { tempFolder } from './temp-folder.js';

/** A real git repository, gone after the test. */
export interface Repository {
  readonly cwd: string;
  readonly git: (...args: string[]) => string;
  readonly write: (path: string | Buffer, content: string | Uint8Array) => void;
  /** Commits everything; the id of the commit. */
  readonly commit: (message?: string) => string;
}

/**
 * The settings that git has in tests, in place of those of the user: after a commit it starts nothing more, which is a
 * process that no test is about.
 */
export const gitConfig = new URL('./gitconfig', import.meta.url).pathname;

const identity = {
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.org',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.org',
  GIT_CONFIG_GLOBAL: gitConfig,
  GIT_CONFIG_NOSYSTEM: '1',
};

/** Makes a repository without commits. */
export function newRepository(...init: string[]): Repository {
  return copiedRepository(['new', ...init], () => repositoryAt(tempFolder('reviewloop-git'), init));
}

export function repositoryAt(cwd: string, init: readonly string[] = []): Repository {
  const repository = repositoryIn(cwd);
  repository.git('init', '-q', '-b', 'main', ...init);
  return repository;
}

const templates = new Map<string, string>();
process.once('exit', () => {
  for (const kept of templates.values()) rmSync(kept, { recursive: true, force: true });
});

/**
 * Makes a repository once in a process, and then copies of it: each command of git is a process.
 *
 * @param key - What the repository is made of.
 */
export function copiedRepository(key: readonly unknown[], make: () => Repository): Repository {
  const name = JSON.stringify(key);
  const template = templates.get(name);
  const copy = (from: string, to: string): void =>
    cpSync(from, to, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  if (template !== undefined) {
    const cwd = tempFolder('reviewloop-git');
    copy(template, cwd);
    return repositoryIn(cwd);
  }
  const made = make();
  const kept = mkdtempSync(join(tmpdir(), 'reviewloop-template-'));
  copy(made.cwd, kept);
  templates.set(name, kept);
  return made;
}

/** The repository that a folder already is. */
export function repositoryIn(cwd: string): Repository {
  const git = (...args: string[]): string =>
    execFileSync('git', args, {
      cwd,
      env: { ...process.env, ...identity },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim();
  const write = (path: string | Buffer, content: string | Uint8Array): void => {
    if (typeof path === 'string') mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(Buffer.concat([Buffer.from(`${cwd}/`), Buffer.from(path)]), content);
  };
  const commit = (message = 'a commit'): string => {
    git('add', '-A');
    git('commit', '-q', '--allow-empty', '-m', message);
    return headIn(cwd) ?? git('rev-parse', 'HEAD');
  };
  return { cwd, git, write, commit };
}

/** The last commit as the files of git tell it; undefined where only git can. */
function headIn(cwd: string): string | undefined {
  try {
    const [, name = ''] = /^ref: (.+)\n$/.exec(readFileSync(join(cwd, '.git/HEAD'), 'utf8')) ?? [];
    return readFileSync(join(cwd, '.git', name), 'utf8').trim();
  } catch {
    return undefined;
  }
}
