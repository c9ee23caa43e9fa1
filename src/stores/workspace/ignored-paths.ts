import { globMatcher } from '../../node/glob.js';

/** Names that are never saved, restored or removed, at any depth. */
const always = new Set(['.git', '.reviewloop']);

/** A function that returns whether a path in a workspace folder is ignored. */
export type IgnoredPaths = (path: string) => boolean;

/**
 * Returns a matcher of ignored paths. A pattern without `/` matches names at any depth; one with
 * `/` matches paths from the top. The content of an ignored folder is ignored too.
 *
 * @throws ReviewLoopError `usage` for a pattern with more than 256 alternatives
 */
export function ignoredPaths(patterns: readonly string[]): IgnoredPaths {
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
