/** What happened to a file; `unmerged` is one in conflict, among what is staged. */
export type DiffStatus =
  | 'new'
  | 'modified'
  | 'deleted'
  | 'renamed'
  | 'copied'
  | 'type_changed'
  | 'mode_changed'
  | 'unmerged';

/** Neighbouring lines of a file that changed. */
export interface DiffHunk {
  /** The line that begins with `@@`. */
  readonly header: string;
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  /** Each with its first character: a space, `+`, `-`, or `\` where the last line of a file does not end. */
  readonly lines: readonly string[];
}

/** One file of a diff. */
export interface DiffFile {
  /** Where it is now, or was before it was deleted; bytes of a name that are no UTF-8 are U+FFFD. */
  readonly path: string;
  /** Where it was, when it was renamed or copied. */
  readonly oldPath?: string | undefined;
  readonly status: DiffStatus;
  readonly added: number;
  readonly removed: number;
  readonly binary: boolean;
  /** Whether it is a repository inside the repository, of which only the commit id changed. */
  readonly submodule: boolean;
  readonly oldMode?: string | undefined;
  readonly newMode?: string | undefined;
  /** The lines before the first hunk. */
  readonly header: string;
  readonly hunks: readonly DiffHunk[];
  /** Whether its hunks were too large to be read; the counts are true all the same. */
  readonly omitted: boolean;
}

/** What changed between two states of a folder. */
export interface Diff {
  /** The id of the commit that is compared with; of the empty tree where there was none yet. */
  readonly base: string;
  /** The id of the commit that is compared, `staged` or `working-tree`. */
  readonly head: string;
  readonly files: readonly DiffFile[];
  /** The diff in the format of git, without the files that are `omitted`. */
  readonly text: string;
}

/**
 * Which diff is meant: `A..B` or `A...B` of commits; what is staged; or the files as they are now, the untracked ones
 * too, against a commit that was recorded earlier (the last one unless it is named).
 */
export type DiffRequest =
  | { readonly kind: 'range'; readonly range: string }
  | { readonly kind: 'staged' }
  | { readonly kind: 'working-tree'; readonly base?: string | undefined };

/** Where diffs come from. */
export interface DiffSource {
  readonly id: string;
  /** The id of the current commit, as the base of a later diff; the id of the empty tree if there is no commit. */
  readonly head: (options?: { readonly signal?: AbortSignal | undefined }) => Promise<string>;
  /** What changed. */
  readonly diff: (
    request: DiffRequest,
    options?: { readonly signal?: AbortSignal | undefined },
  ) => Promise<Diff>;
}
