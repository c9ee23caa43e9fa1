export interface FileChange {
  /** The path after the change; for a removed file the path before. */
  readonly path: string;
  readonly oldPath?: string | undefined;
  /** Whether the old path no longer exists. */
  readonly isRenamed: boolean;
  readonly isRemoved: boolean;
  /** Whole lines without their sign. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

interface OpenChange {
  path: string;
  oldPath?: string;
  isRenamed: boolean;
  isRemoved: boolean;
  readonly added: string[];
  readonly removed: string[];
}

/**
 * Skips what it cannot read; git decides whether the diff applies. It is synchronous, so it loads
 * no parser.
 */
export function changesOf(diff: string): FileChange[] {
  const reader = new DiffReader();
  const lines = diff.split('\n');
  for (const [index, line] of lines.entries())
    reader.take(line, lines[index + 1] ?? '', lines[index + 2] ?? '');
  return reader.changes.filter(({ path }) => path !== '');
}

class DiffReader {
  readonly changes: OpenChange[] = [];
  #open: OpenChange | undefined;
  #inHunk = false;

  take(line: string, next: string, afterNext: string): void {
    if (line.startsWith('diff --git ')) this.#begin(pathOfGit(line));
    else if (
      line.startsWith('--- ') &&
      next.startsWith('+++ ') &&
      (!this.#inHunk || afterNext.startsWith('@@ '))
    )
      this.#patch(pathIn(line), pathIn(next));
    else if (line.startsWith('@@ ')) this.#inHunk = true;
    else if (this.#open !== undefined) this.#line(line, this.#open);
  }

  #begin(path = ''): OpenChange {
    const open: OpenChange = { path, isRenamed: false, isRemoved: false, added: [], removed: [] };
    this.changes.push(open);
    this.#open = open;
    this.#inHunk = false;
    return open;
  }

  #patch(before: string | undefined, after: string | undefined): void {
    const path = after ?? before ?? '';
    // git's header precedes the patch header of the same file
    const change = this.#open?.path === path && !this.#inHunk ? this.#open : this.#begin(path);
    change.isRemoved = after === undefined;
    if (before !== undefined && before !== path) change.oldPath = before;
  }

  #rename(open: OpenChange, path: string): void {
    open.path = path;
    open.isRenamed = true;
  }

  #line(line: string, open: OpenChange): void {
    if (this.#inHunk) {
      if (line.startsWith('+')) open.added.push(line.slice(1));
      else if (line.startsWith('-')) open.removed.push(line.slice(1));
    } else if (line.startsWith('rename from ')) open.oldPath = unquoted(line.slice(12).trimEnd());
    else if (line.startsWith('rename to ')) this.#rename(open, unquoted(line.slice(10).trimEnd()));
    else if (line.startsWith('deleted file mode ')) open.isRemoved = true;
  }
}

export function pathsOfDiff(diff: string): string[] {
  return [
    ...new Set(
      changesOf(diff).flatMap(({ path, oldPath }) =>
        oldPath === undefined ? [path] : [oldPath, path],
      ),
    ),
  ];
}

export function removedBy(diffs: readonly string[]): ReadonlySet<string> {
  const gone = new Set<string>();
  for (const { path, oldPath, isRenamed, isRemoved } of diffs.flatMap(changesOf)) {
    if (isRenamed && oldPath !== undefined) gone.add(oldPath);
    if (isRemoved) gone.add(path);
    else gone.delete(path);
  }
  return gone;
}

function pathOfGit(line: string): string | undefined {
  const names = line.slice('diff --git '.length).trimEnd();
  const [, quoted] = /^("(?:[^"\\]|\\.)*") "(?:[^"\\]|\\.)*"$/.exec(names) ?? [];
  if (quoted !== undefined) return unquoted(quoted).replace(/^[ab]\//, '');
  const half = (names.length - 1) / 2;
  const [before, after] = [
    names.slice(0, half).replace(/^a\//, ''),
    names.slice(half + 1).replace(/^b\//, ''),
  ];
  return before === after && before !== '' ? before : undefined;
}

function pathIn(line: string): string | undefined {
  const name = unquoted((line.slice(4).split('\t')[0] ?? '').replace(/\r$/, ''));
  return name === '/dev/null' ? undefined : name.replace(/^[ab]\//, '');
}

const escapes: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 };

function unquoted(name: string): string {
  const [, quoted] = /^"(.*)"$/.exec(name) ?? [];
  if (quoted === undefined) return name;
  const bytes = Array.from(
    quoted.matchAll(/\\([0-7]{3})|\\(.)|([^\\]+)/g),
    ([, octal, letter, plain]) => {
      if (plain !== undefined) return [...new TextEncoder().encode(plain)];
      if (octal !== undefined) return [Number.parseInt(octal, 8)];
      return [escapes[letter ?? ''] ?? (letter ?? '').charCodeAt(0)];
    },
  );
  return new TextDecoder().decode(Uint8Array.from(bytes.flat()));
}
