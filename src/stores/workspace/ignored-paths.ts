import { globMatcher } from '../../node/glob.js';

/** Names that are never kept, brought back or removed, at any depth. */
const always = new Set(['.git', '.reviewloop']);

/** Which paths of a folder are left alone. A pattern without `/` is for names at any depth, one with `/` for paths from the top. */
export type LeftOut = (path: string) => boolean;

/**
 * The matcher of what is left alone; what is below it is, too, because nobody looks there.
 *
 * @throws ReviewLoopError `usage` for a pattern with too many alternatives.
 */
export function leftOutBy(patterns: readonly string[]): LeftOut {
  const names = patterns
    .filter((pattern) => !pattern.replace(/\/$/, '').includes('/'))
    .map((pattern) => globMatcher(pattern.replace(/\/$/, '')));
  const paths = patterns
    .filter((pattern) => pattern.replace(/\/$/, '').includes('/'))
    .map((pattern) => globMatcher(pattern.replace(/^\//, '').replace(/\/$/, '')));
  return (path) => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    return (
      always.has(name) ||
      names.some((matches) => matches(name)) ||
      paths.some((matches) => matches(path))
    );
  };
}
