import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
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

const identity = {
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.org',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.org',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
};

/** Makes a repository without commits. */
export function newRepository(...init: string[]): Repository {
  return repositoryAt(tempFolder('reviewloop-git'), init);
}

/** Makes a repository in a folder. */
export function repositoryAt(cwd: string, init: readonly string[] = []): Repository {
  const git = (...args: string[]): string =>
    execFileSync('git', args, {
      cwd,
      env: { ...process.env, ...identity },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim();
  git('init', '-q', '-b', 'main', ...init);
  const write = (path: string | Buffer, content: string | Uint8Array): void => {
    if (typeof path === 'string') mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(Buffer.concat([Buffer.from(`${cwd}/`), Buffer.from(path)]), content);
  };
  const commit = (message = 'a commit'): string => {
    git('add', '-A');
    git('commit', '-q', '--allow-empty', '-m', message);
    return git('rev-parse', 'HEAD');
  };
  return { cwd, git, write, commit };
}
