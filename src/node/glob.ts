import { ReviewLoopError } from '../core/errors.js';
import { nodeErrors } from './errors.js';

export function isGlob(path: string): boolean {
  return /[*?{]/.test(path);
}

/**
 * Returns a matcher for paths with `/`. `*` and `?` match within a name, also one that starts with
 * a dot. `**` crosses folders; `{a,b}` matches either. Every other character matches itself, so
 * that names such as `app/(shop)/[id].tsx` need no escaping. The time is at most pattern length
 * times path length.
 */
export function globMatcher(pattern: string): (path: string) => boolean {
  const normal = pattern.replace(/^(\.\/)+/, '');
  const alternatives = expandBraces(normal).map((alternative) => alternative.split('/'));
  return (path) => {
    const names = path.split('/');
    return alternatives.some((parts) => matches(parts, names));
  };
}

export function globRoot(pattern: string): string {
  const parts = pattern.split('/');
  const first = parts.findIndex(isGlob);
  const root = parts.slice(0, first === -1 ? parts.length - 1 : first).join('/');
  return root === '' && pattern.startsWith('/') ? '/' : root === '' ? '.' : root;
}

function expandBraces(pattern: string, budget = { left: 256 }): string[] {
  budget.left -= 1;
  if (budget.left < 0)
    throw new ReviewLoopError(
      nodeErrors.usage,
      `the pattern ${pattern} has more than 256 alternatives`,
      {
        value: pattern,
      },
    );
  const found = /^(.*?)\{([^{}]*,[^{}]*)\}(.*)$/s.exec(pattern);
  if (found === null) return [pattern];
  const [, before = '', inside = '', after = ''] = found;
  return inside.split(',').flatMap((choice) => expandBraces(`${before}${choice}${after}`, budget));
}

/** Matches names one by one, with a set of reachable parts instead of backtracking. */
function matches(parts: readonly string[], names: readonly string[]): boolean {
  let reached = new Set([0]);
  const skipStars = (from: Iterable<number>): Set<number> => {
    const all = new Set<number>();
    for (let at of from) {
      all.add(at);
      while (parts[at] === '**') {
        at += 1;
        all.add(at);
      }
    }
    return all;
  };
  reached = skipStars(reached);
  for (const name of names) {
    const next = new Set<number>();
    for (const at of reached) {
      const part = parts[at];
      if (part === '**') next.add(at);
      else if (part !== undefined && matchesName(part, name)) next.add(at + 1);
    }
    reached = skipStars(next);
  }
  return reached.has(parts.length);
}

function matchesName(part: string, name: string): boolean {
  let at = 0;
  let star = -1;
  let resume = 0;
  let index = 0;
  while (index < name.length) {
    if (part[at] === '*') {
      star = at;
      at += 1;
      resume = index;
    } else if (at < part.length && (part[at] === '?' || part[at] === name[index])) {
      at += 1;
      index += 1;
    } else if (star === -1) {
      return false;
    } else {
      at = star + 1;
      resume += 1;
      index = resume;
    }
  }
  while (part[at] === '*') at += 1;
  return at === part.length;
}
