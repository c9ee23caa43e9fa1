import { storeErrors } from '../adapters/stores/errors.js';
import { ReviewLoopError } from '../core/errors.js';
import { digestOf } from '../core/json.js';
import type { Workspace } from '../ports/workspace.js';

/** A workspace in memory. */
export interface FakeWorkspace extends Workspace {
  /** The current files: texts by path. Tests may change them. */
  readonly files: Map<string, string>;
  /** The calls, such as `snapshot 1f3a` and `restore 1f3a`, with the first digits of the digest. */
  readonly calls: readonly string[];
}

/**
 * Creates a {@link Workspace} in memory.
 *
 * @param files - Its initial files.
 * @example
 * ```ts
 * const workspace = fakeWorkspace({ 'a.txt': 'old' });
 * const pipeline = definePipeline({ ...options, workspace });
 * ```
 */
export function fakeWorkspace(files: Readonly<Record<string, string>> = {}): FakeWorkspace {
  const now = new Map(Object.entries(files));
  const kept = new Map<string, ReadonlyMap<string, string>>();
  const calls: string[] = [];
  const noted = (what: string, digest: string): void =>
    void calls.push(`${what} ${digest.slice(0, 4)}`);
  return {
    files: now,
    calls,
    snapshot: async () => {
      const digest = digestOf([...now].sort(([a], [b]) => (a < b ? -1 : 1)));
      kept.set(digest, new Map(now));
      noted('snapshot', digest);
      return digest;
    },
    restore: async (digest) => {
      const tree = kept.get(digest);
      if (tree === undefined)
        throw new ReviewLoopError(
          storeErrors.workspace_missing,
          `the workspace has no state ${digest}`,
          {
            value: digest,
          },
        );
      now.clear();
      for (const [path, text] of tree) now.set(path, text);
      noted('restore', digest);
    },
  };
}
