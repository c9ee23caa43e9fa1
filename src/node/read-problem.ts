import { messageOf } from '../core/errors.js';

const problems: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is not a folder',
  ELOOP: 'too many symbolic links',
};

/** Returns in plain words why a file could not be read. */
export function readProblem(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return (typeof code === 'string' ? problems[code] : undefined) ?? messageOf(error);
}
