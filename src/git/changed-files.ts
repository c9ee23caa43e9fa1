import { ReviewLoopError } from '../kernel/errors.js';
import type { DiffFile, DiffStatus } from '../ports/diff-source.js';

/** What `git diff --raw --numstat -z` says of a file. */
export type ChangedFile = Omit<DiffFile, 'header' | 'hunks' | 'omitted'>;

const statuses: Readonly<Record<string, DiffStatus>> = { A: 'new', M: 'modified', D: 'deleted', R: 'renamed', C: 'copied', T: 'type_changed', U: 'unmerged' };

const submoduleMode = '160000';

/**
 * The files of `git diff --raw --numstat -z`, which are exact whatever the names hold.
 *
 * @throws ReviewLoopError `git_failed`
 */
export function changedFiles(output: string): ChangedFile[] {
  const fields = output.split('\0');
  const files: ChangedFile[] = [];
  const counts = new Map<string, { readonly added: number; readonly removed: number; readonly binary: boolean }>();
  for (let at = 0; at < fields.length; ) {
    const field = fields[at] ?? '';
    if (field === '') at += 1;
    else if (field.startsWith(':')) at += readRaw(fields, at, files);
    else at += readCount(fields, at, counts);
  }
  return files.map((file) => {
    const { added, removed, binary } = counts.get(file.path) ?? { added: 0, removed: 0, binary: false };
    const sameContent = file.status === 'modified' && !binary && added + removed === 0 && file.oldMode !== file.newMode;
    return { ...file, added, removed, binary, status: sameContent ? 'mode_changed' : file.status };
  });
}

/** Reads one `:old new id id STATUS`; how many fields that took. */
function readRaw(fields: readonly string[], at: number, files: ChangedFile[]): number {
  const [, oldMode = '', newMode = '', letter = ''] = /^:(\d+) (\d+) \S+ \S+ ([A-Z])\d*$/.exec(fields[at] ?? '') ?? [];
  const status = statuses[letter];
  if (status === undefined) throw new ReviewLoopError('git_failed', `git said what is not known: ${JSON.stringify(fields[at]?.slice(0, 200))}`);
  const moved = status === 'renamed' || status === 'copied';
  const path = fields[at + (moved ? 2 : 1)] ?? '';
  const last = files.at(-1);
  // a file in conflict is told twice
  if (last?.path === path && last.status === 'unmerged') return 2;
  files.push({
    path,
    ...(moved && { oldPath: fields[at + 1] ?? '' }),
    status,
    added: 0,
    removed: 0,
    binary: false,
    submodule: [oldMode, newMode].includes(submoduleMode),
    ...modesOf(oldMode, newMode),
  });
  return moved ? 3 : 2;
}

/** The modes that are none of a file that is not there. */
function modesOf(oldMode: string, newMode: string): Pick<ChangedFile, 'oldMode' | 'newMode'> {
  return { ...(oldMode !== '000000' && { oldMode }), ...(newMode !== '000000' && { newMode }) };
}

/** Reads one `added removed path`; how many fields that took. */
function readCount(fields: readonly string[], at: number, counts: Map<string, { added: number; removed: number; binary: boolean }>): number {
  const [, added, removed, path] = /^(\d+|-)\t(\d+|-)\t([\s\S]*)$/.exec(fields[at] ?? '') ?? [];
  if (added === undefined || removed === undefined || path === undefined) throw new ReviewLoopError('git_failed', `git said what is not known: ${JSON.stringify(fields[at]?.slice(0, 200))}`);
  const moved = path === '';
  counts.set(moved ? (fields[at + 2] ?? '') : path, { added: Number(added) || 0, removed: Number(removed) || 0, binary: added === '-' });
  return moved ? 3 : 1;
}
