import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { quoted } from '../../cli-kit/show/next-command.js';
import { ReviewLoopError } from '../../core/errors.js';
import { gitErrors } from '../../git/errors.js';
import type { ProcessResult } from '../../node/process.js';

/** The name of a lock file, in whatever language and quotes git says that it could not make it. */
const lockNamed = /['"„“»«]([^'"„“”»«\n]+\.lock)['"“”»«]/;

/** What is wrong with a git that failed; a lock that another one holds or has left is told with what to do about it, and never removed. */
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
    `git ${args[0]} found the repository locked by ${path}, which is there since ${since}: another git is at work, or one that was killed has left it. \`pgrep -a git\` shows whether one runs; where none does, \`rm ${quoted(path)}\` and run the same command again, which goes on`,
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
