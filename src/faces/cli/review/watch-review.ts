import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { plural, shortList } from '../../../core/plural.js';
import { redactSecrets } from '../../../core/redact/secrets.js';
import { foldersOf } from '../../../node/folder-state.js';
import { globRoot, isGlob } from '../../../node/glob.js';
import { listFiles } from '../../../node/list-files.js';
import { nextChange } from '../../../node/next-change.js';
import { oneLine, sanitise } from '../../../node/terminal/sanitise.js';
import { systemClock } from '../../../ports/clock.js';
import { requirementsPath } from '../../cli-kit/inputs/read-task.js';
import type { Io } from '../../cli-kit/io.js';
import { errorText } from '../../cli-kit/show/error-text.js';
import type { ReviewRun } from './review-settings.js';
import { runReview } from './run-review.js';

/** Files must stay unchanged for so long before the next review. */
const settleMs = 200;

const mostNamed = 3;

interface Snapshot {
  readonly files: ReadonlyMap<string, string>;
  readonly folders: readonly string[];
}

/**
 * Reviews again whenever the task, its requirements or the files have changed, until the user ends
 * it. A later review that cannot be made is shown, and the next change is waited for.
 *
 * @returns The exit code of the last review; 130 if it was ended during a review.
 */
export async function watchReview(io: Io, run: ReviewRun): Promise<number> {
  let seen = await snapshotOf(io, run);
  let code = await runReview(io, run);
  while (!io.signal.aborted) {
    io.err(`watching ${plural(seen.files.size, 'file')}; Ctrl-C ends\n`);
    const next = await changedSnapshot(io, run, seen);
    if (next === undefined) return code;
    io.err(`\nchanged: ${changedNames(seen, next)}\n`);
    seen = next;
    code = await reviewAgain(io, run, code);
  }
  return 130;
}

async function reviewAgain(io: Io, run: ReviewRun, before: number): Promise<number> {
  try {
    return await runReview(io, run);
  } catch (error) {
    io.err(`${sanitise(redactSecrets(`error: ${errorText(error)}`))}\n`);
    return before;
  }
}

/** `undefined` after Ctrl-C. */
async function changedSnapshot(
  io: Io,
  run: ReviewRun,
  seen: Snapshot,
): Promise<Snapshot | undefined> {
  let { folders } = seen;
  for (;;) {
    const found = new AbortController();
    const signal = AbortSignal.any([io.signal, found.signal]);
    // the watch begins before the look, so that no change falls between
    const changed = nextChange(folders, { clock: systemClock, settleMs, signal });
    const now = await snapshotOf(io, run);
    if (changesBetween(seen, now).length > 0) {
      found.abort();
      return now;
    }
    if (!(await changed)) return undefined;
    folders = now.folders;
  }
}

async function snapshotOf(io: Io, { settings }: ReviewRun): Promise<Snapshot> {
  const { paths, exclude, maxFiles, task, requirements } = settings;
  const named = [
    task,
    requirements === false
      ? undefined
      : (requirements ?? (task === undefined ? undefined : requirementsPath(task))),
  ].flatMap((path) => (path === undefined ? [] : [resolve(io.cwd, path)]));
  // a path may be missing while an editor saves it
  const listing = await listFiles(paths, { cwd: io.cwd, maxFiles, exclude }).catch(() => undefined);
  const listed = listing?.files.map(({ absolute }) => absolute) ?? [];
  const files = new Map<string, string>();
  for (const file of [...listed, ...named]) {
    const found = await stat(file).catch(() => undefined);
    if (found !== undefined) files.set(file, `${found.mtimeMs} ${found.size}`);
  }
  const roots = paths.map((path) => resolve(io.cwd, isGlob(path) ? globRoot(path) : path));
  const below = await Promise.all(roots.map(foldersOf));
  const folders = new Set([...below.flat(), ...[...files.keys()].map((file) => dirname(file))]);
  return { files, folders: [...folders] };
}

function changesBetween(before: Snapshot, now: Snapshot): string[] {
  const all = new Set([...before.files.keys(), ...now.files.keys()]);
  return [...all].filter((file) => before.files.get(file) !== now.files.get(file));
}

function changedNames(before: Snapshot, now: Snapshot): string {
  const changed = changesBetween(before, now).map((file) => file.split(/[\\/]/).at(-1) ?? file);
  return oneLine(shortList(changed, mostNamed));
}
