import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { quoted } from '../../cli-kit/show/quoted.js';
import { ReviewLoopError } from '../../core/errors.js';
import { gitErrors } from '../../git/errors.js';
import type { ProcessResult } from '../../node/process.js';

/** Matches the name of a lock file in a message of git, in any language and any quotes. */
const lockNamed = /['"„“»«]([^'"„“”»«\n]+\.lock)['"“”»«]/;

/**
 * Returns the error of a failed git command. It explains a lock of another git process, but never
 * removes it.
 */
export async function gitFault(
  cwd: string,
  args: readonly string[],
  { exitCode, signal, stdout, stderr }: ProcessResult,
): Promise<ReviewLoopError> {
  const said = stderr.trim() || stdout.trim();
  const lock = await lockIn(cwd, said);
  if (lock === undefined)
    return new ReviewLoopError(
      gitErrors.git_failed,
      `git ${args[0]} ended with ${exitCode ?? signal} in ${cwd}: ${said.slice(-400)}`,
      { value: args },
    );
  const { path, since } = lock;
  return new ReviewLoopError(
    gitErrors.git_locked,
    `git ${args[0]} found the repository locked by ${path} since ${since}: another ` +
      'git is running, or was killed and left the lock. `pgrep -a git` shows running ' +
      `ones; if it shows none, run \`rm ${quoted(path)}\` and the same command again`,
    { value: path },
  );
}

async function lockIn(
  cwd: string,
  said: string,
): Promise<{ readonly path: string; readonly since: string } | undefined> {
  const [, name] = lockNamed.exec(said) ?? [];
  if (name === undefined) return undefined;
  const path = resolve(cwd, name);
  return stat(path).then(
    ({ mtime }) => ({ path, since: mtime.toISOString() }),
    () => undefined,
  );
}
