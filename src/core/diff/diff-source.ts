/** `unmerged` is a staged file with a merge conflict. */
export type DiffStatus =
  | 'new'
  | 'modified'
  | 'deleted'
  | 'renamed'
  | 'copied'
  | 'type_changed'
  | 'mode_changed'
  | 'unmerged';

export interface DiffHunk {
  /** The line that begins with `@@`. */
  readonly header: string;
  /** The first line in the old file, 1-based. */
  readonly oldStart: number;
  readonly oldLines: number;
  /** The first line in the new file, 1-based. */
  readonly newStart: number;
  readonly newLines: number;
  /**
   * The lines with their first character: a space, `+`, `-`, or `\` if the file has no final
   * newline.
   */
  readonly lines: readonly string[];
}

/** One file of a diff. */
export interface DiffFile {
  /** The path, or the last path of a deleted file. Bytes that are not UTF-8 become U+FFFD. */
  readonly path: string;
  /** The old path of a renamed or copied file. */
  readonly oldPath?: string | undefined;
  readonly status: DiffStatus;
  /** The number of added lines. */
  readonly added: number;
  /** The number of removed lines. */
  readonly removed: number;
  readonly binary: boolean;
  /** Whether it is a submodule, of which only the commit id changed. */
  readonly submodule: boolean;
  /** The octal mode before the change, such as `100644`. */
  readonly oldMode?: string | undefined;
  /** The octal mode after the change. */
  readonly newMode?: string | undefined;
  /** The lines before the first hunk. */
  readonly header: string;
  readonly hunks: readonly DiffHunk[];
  /** Whether its hunks were too large to read. The counts are still correct. */
  readonly omitted: boolean;
}

/** The changes between two states of a folder. */
export interface Diff {
  /** The id of the commit on the left side, or of the empty tree before the first commit. */
  readonly base: string;
  /** The right side: the id of a commit, `staged` or `working-tree`. */
  readonly head: string;
  readonly files: readonly DiffFile[];
  /** The diff in the format of git, without the files that are `omitted`. */
  readonly text: string;
}

/**
 * Which diff to make:
 *
 * - `range`: `A..B` or `A...B` of commits
 * - `staged`: the staged changes
 * - `working-tree`: the current files, also untracked ones, against `base`; by default against
 *   the last commit
 */
export type DiffRequest =
  | { readonly kind: 'range'; readonly range: string }
  | { readonly kind: 'staged' }
  | { readonly kind: 'working-tree'; readonly base?: string | undefined };

/** Makes diffs. */
export interface DiffSource {
  readonly id: string;
  /**
   * Returns the id of the current commit, or of the empty tree before the first commit. Use it as
   * the base of a later diff.
   */
  readonly head: (options?: { readonly signal?: AbortSignal | undefined }) => Promise<string>;
  /** Returns a diff. */
  readonly diff: (
    request: DiffRequest,
    options?: { readonly signal?: AbortSignal | undefined },
  ) => Promise<Diff>;
}

/** Reads the files of a repository at one revision. */
export interface FileSource {
  /** Returns the text of a file; `undefined` if it is missing, not text, a link or too large. */
  readonly read: (
    path: string,
    options?: { readonly signal?: AbortSignal | undefined },
  ) => Promise<string | undefined>;
  /** Returns the files of a folder, without those of its subfolders; '' is the top folder. */
  readonly list: (
    folder: string,
    options?: { readonly signal?: AbortSignal | undefined },
  ) => Promise<readonly string[]>;
}
