import { messageOf, ReviewLoopError } from '../errors.js';
import type { DiffFile, DiffHunk, DiffStatus } from './diff-source.js';
import { diffErrors } from './errors.js';

interface Patch {
  readonly oldFileName?: string | undefined;
  readonly newFileName?: string | undefined;
  readonly isBinary?: boolean;
  readonly isRename?: boolean;
  readonly isCopy?: boolean;
  readonly isCreate?: boolean;
  readonly isDelete?: boolean;
  readonly isGit?: boolean;
  readonly oldMode?: string | undefined;
  readonly newMode?: string | undefined;
  readonly hunks: readonly {
    readonly oldStart: number;
    readonly oldLines: number;
    readonly newStart: number;
    readonly newLines: number;
    readonly lines: readonly string[];
  }[];
}

/**
 * Returns the files of a diff in the format of git or of `diff -u`.
 *
 * @throws ReviewLoopError `diff_unreadable` if the lines of a hunk do not match its header
 * @example
 * ```ts
 * const files = await parseDiff('--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n');
 * ```
 */
export async function parseDiff(text: string): Promise<DiffFile[]> {
  const files: DiffFile[] = [];
  for (const section of sectionsOf(text)) files.push(...(await parseSection(section)));
  return files;
}

/** A diff in another format is one part. */
function sectionsOf(text: string): string[] {
  return text.split(/^(?=diff --git )/m).filter((section) => section.trim() !== '');
}

/** One file, or two if a file became a link. */
export async function parseSection(section: string): Promise<DiffFile[]> {
  const { parsePatch } = await import('diff');
  try {
    const patches: readonly Patch[] = parsePatch(section);
    const place = placeOf(section, patches.length === 1);
    let first = 0;
    return patches.filter(hasContent).map((patch) => {
      const file = fileOf(patch, { ...place, first });
      first += patch.hunks.length;
      return file;
    });
  } catch (error) {
    const [line = ''] = section.split('\n', 1);
    throw new ReviewLoopError(
      diffErrors.diff_unreadable,
      `the diff cannot be read at ${JSON.stringify(line.slice(0, 200))}: ${messageOf(error)}`,
      { cause: error, value: line },
    );
  }
}

function hasContent({ oldFileName, newFileName, hunks }: Patch): boolean {
  return oldFileName !== undefined || newFileName !== undefined || hunks.length > 0;
}

interface Place {
  /** What the section says before its first hunk, if it contains only this file. */
  readonly header: string | undefined;
  readonly binary: boolean;
  readonly submodule: boolean;
  readonly headers: readonly string[];
  readonly first: number;
}

function placeOf(section: string, alone: boolean): Omit<Place, 'first'> {
  return {
    header: alone ? headerOf(section) : undefined,
    binary: /^GIT binary patch$/m.test(section),
    submodule: /^(?:index [0-9a-f]+\.\.[0-9a-f]+ |(?:new file|deleted file) mode )160000$/m.test(
      section,
    ),
    headers: headersOf(section),
  };
}

function fileOf(patch: Patch, place: Place): DiffFile {
  const { headers, first } = place;
  const hunks = patch.hunks.map((hunk, index): DiffHunk => {
    const { oldStart, oldLines, newStart, newLines, lines } = hunk;
    return {
      header: headers[first + index] ?? `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
      oldStart,
      oldLines,
      newStart,
      newLines,
      lines,
    };
  });
  const status = statusOf(patch);
  const before = nameOf(patch.oldFileName, patch);
  const path = nameOf(patch.newFileName, patch) ?? before ?? '';
  const { oldMode, newMode } = patch;
  return {
    path,
    ...((status === 'renamed' || status === 'copied') &&
      before !== undefined && { oldPath: before }),
    status,
    added: countOf(hunks, '+'),
    removed: countOf(hunks, '-'),
    binary: patch.isBinary === true || place.binary,
    submodule: place.submodule,
    ...(oldMode !== undefined && { oldMode }),
    ...(newMode !== undefined && { newMode }),
    header: place.header ?? `--- ${patch.oldFileName ?? ''}\n+++ ${patch.newFileName ?? ''}\n`,
    hunks,
    omitted: false,
  };
}

function headerOf(section: string): string {
  const at = section.search(/^@@ /m);
  const header = at === -1 ? section : section.slice(0, at);
  return header.endsWith('\n') ? header : `${header}\n`;
}

function headersOf(section: string): string[] {
  return section.match(/^@@ .*$/gm) ?? [];
}

function statusOf({
  isRename,
  isCopy,
  isCreate,
  isDelete,
  oldFileName,
  newFileName,
  hunks,
  isBinary,
  oldMode,
  newMode,
}: Patch): DiffStatus {
  if (isRename) return 'renamed';
  if (isCopy) return 'copied';
  if (isCreate || oldFileName === '/dev/null') return 'new';
  if (isDelete || newFileName === '/dev/null') return 'deleted';
  return oldMode !== undefined && newMode !== undefined && hunks.length === 0 && isBinary !== true
    ? 'mode_changed'
    : 'modified';
}

function nameOf(name: string | undefined, { isGit }: Patch): string | undefined {
  if (name === undefined || name === '/dev/null') return undefined;
  return isGit === true || /^[ab]\//.test(name) ? name.replace(/^[^/]{1,2}\//, '') : name;
}

function countOf(hunks: readonly DiffHunk[], sign: string): number {
  return hunks.reduce(
    (sum, { lines }) => sum + lines.filter((line) => line.startsWith(sign)).length,
    0,
  );
}
