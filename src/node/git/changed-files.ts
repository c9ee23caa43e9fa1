import type { DiffFile, DiffStatus } from '../../core/diff/diff-source.js';
import { ReviewLoopError } from '../../core/errors.js';
import { gitErrors } from './errors.js';

export type ChangedFile = Omit<DiffFile, 'header' | 'hunks' | 'omitted'>;

const statuses: Readonly<Record<string, DiffStatus>> = {
  A: 'new',
  M: 'modified',
  D: 'deleted',
  R: 'renamed',
  C: 'copied',
  T: 'type_changed',
  U: 'unmerged',
};

const submoduleMode = '160000';

/** Reads `git diff --raw --numstat -z`, which is exact for all names. */
export function changedFiles(output: string): ChangedFile[] {
  const fields = new Fields(output);
  const files: ChangedFile[] = [];
  const counts = new Map<string, Counts>();
  while (!fields.ended) {
    const field = fields.next();
    if (field.startsWith(':')) readRaw(field, fields, files);
    else if (field !== '') readCount(field, fields, counts);
  }
  return files.map((file) => {
    const { added, removed, binary } = counts.get(file.path) ?? {
      added: 0,
      removed: 0,
      binary: false,
    };
    const sameContent =
      file.status === 'modified' &&
      !binary &&
      added + removed === 0 &&
      file.oldMode !== file.newMode;
    return { ...file, added, removed, binary, status: sameContent ? 'mode_changed' : file.status };
  });
}

interface Counts {
  readonly added: number;
  readonly removed: number;
  readonly binary: boolean;
}

class Fields {
  readonly #all: readonly string[];
  #at = 0;

  constructor(output: string) {
    this.#all = output.split('\0');
  }

  get ended(): boolean {
    return this.#at === this.#all.length;
  }

  next(): string {
    const field = this.#all[this.#at];
    if (field === undefined)
      throw new ReviewLoopError(
        gitErrors.git_failed,
        'the output of git ended in the middle of a file',
      );
    this.#at += 1;
    return field;
  }
}

/** Reads one `:old new id id STATUS` and the names after it. */
function readRaw(field: string, fields: Fields, files: ChangedFile[]): void {
  const [, oldMode = '', newMode = '', letter = ''] =
    /^:(\d+) (\d+) \S+ \S+ ([A-Z])\d*$/.exec(field) ?? [];
  const status = statuses[letter];
  if (status === undefined) throw unknown(field);
  const before = status === 'renamed' || status === 'copied' ? { oldPath: fields.next() } : {};
  const path = fields.next();
  const last = files.at(-1);
  // git lists a file in conflict twice
  if (last?.path === path && last.status === 'unmerged') return;
  files.push({
    path,
    ...before,
    status,
    added: 0,
    removed: 0,
    binary: false,
    submodule: [oldMode, newMode].includes(submoduleMode),
    ...modesOf(oldMode, newMode),
  });
}

function unknown(field: string): ReviewLoopError {
  return new ReviewLoopError(
    gitErrors.git_failed,
    `unknown output of git: ${JSON.stringify(field.slice(0, 200))}`,
  );
}

function modesOf(oldMode: string, newMode: string): Pick<ChangedFile, 'oldMode' | 'newMode'> {
  return { ...(oldMode !== '000000' && { oldMode }), ...(newMode !== '000000' && { newMode }) };
}

/** Reads one `added removed path`, or one without a path and then both names. */
function readCount(field: string, fields: Fields, counts: Map<string, Counts>): void {
  const [, added, removed, path] = /^(\d+|-)\t(\d+|-)\t([\s\S]*)$/.exec(field) ?? [];
  if (added === undefined) throw unknown(field);
  if (path === '') fields.next();
  counts.set(path || fields.next(), {
    added: Number(added) || 0,
    removed: Number(removed) || 0,
    binary: added === '-',
  });
}
