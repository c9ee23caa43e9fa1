import { join, resolve } from 'node:path';
import type { SettingsOf } from '../../cli-kit/flags/flag.js';
import type { Io } from '../../cli-kit/io.js';
import { openStores } from '../../cli-kit/run-stores.js';
import { closeShared, openShared, prepareShared } from '../../cli-kit/shared-store.js';
import { sharedIn, storeFolder, storeWords } from '../../cli-kit/store-folder.js';
import { ReviewLoopError } from '../../core/errors.js';
import { nodeErrors } from '../../node/errors.js';
import { placeName, shownPath } from '../../node/mounted-folder.js';
import { listStoreFolder } from '../../node/store-file.js';
import { runIdOf } from '../../stores/file/run-names.js';
import { oneLine, terminalSafeJson } from '../../terminal/sanitise.js';
import type { Copied } from './copied.js';
import { auditGap, copyAudit } from './copy-audit.js';
import { FileCopy } from './copy-files.js';
import { copyAttempts, copyLessons, copyVerdicts } from './copy-rest.js';
import { copyReviews } from './copy-reviews.js';
import { copyRuns, refuseOpenRuns } from './copy-runs.js';
import { type CopySource, copySource } from './copy-source.js';
import type { copyFlags } from './store-flags.js';

type CopySettings = SettingsOf<typeof copyFlags>;

/** The most differences that are shown one by one. */
const mostShown = 10;

/**
 * Copies a store into a database, and returns the exit code: 1 if something differs there.
 *
 * @throws ReviewLoopError `usage`, `file_unreadable`, `run_busy`, `audit_corrupt`, and the errors of
 *   the two stores
 */
export async function copyStore(io: Io, settings: CopySettings): Promise<number> {
  try {
    const [given, target] = await Promise.all([
      prepareShared(settings.from),
      prepareShared(settings.to),
    ]);
    const folder = resolve(io.cwd, storeFolder(target));
    const from = await copySource(io.cwd, given);
    if (from.folder === folder)
      throw new ReviewLoopError(nodeErrors.usage, 'name two different stores');
    const parts = await copyAll(from, folder);
    return await tell(io, { from, folder, parts, json: settings.format === 'json' });
  } finally {
    await closeShared();
  }
}

type Parts = Readonly<Record<string, Copied>>;

async function copyAll(from: CopySource, folder: string): Promise<Parts> {
  const shared = sharedIn(folder);
  if (shared === undefined)
    throw new ReviewLoopError(
      nodeErrors.usage,
      'a store is copied into a database: name its address, such as postgres://user@host/name, or env:NAME',
    );
  const { store, database } = openShared(shared);
  // what cannot be copied whole is refused before anything is copied
  const gap = await auditGap(from.stores, openStores(folder));
  await refuseOpenRuns(from.stores.store);
  const files = new FileCopy(from.folder, folder);
  const names = await folderNames(from.folder);
  const runs = await copyRuns(from.stores.store, store, async (runId, isCopied) => {
    await copyReviews(from.reviews, database, runId);
    await files.run(names.get(runId) ?? runId, runId, isCopied);
  });
  await files.rest();
  return {
    runs,
    files: files.result,
    verdicts: await copyVerdicts(from, store),
    lessons: await copyLessons(from, database),
    attempts: await copyAttempts(from, store),
    audit: await copyAudit(gap, database),
  };
}

/** Returns the folder of each run: some ids are no names of folders. */
async function folderNames(folder: string): Promise<ReadonlyMap<string, string>> {
  const names = await listStoreFolder(join(folder, 'runs')).catch(() => []);
  return new Map(names.map((name) => [runIdOf(name) ?? name, name]));
}

const titles: Readonly<Record<string, string>> = {
  runs: 'runs',
  files: 'reports and requests',
  verdicts: 'verdicts',
  lessons: 'lessons',
  attempts: 'attempts at tasks',
  audit: 'records of the audit log',
};

async function tell(
  io: Io,
  {
    from,
    folder,
    parts,
    json,
  }: {
    readonly from: CopySource;
    readonly folder: string;
    readonly parts: Parts;
    readonly json: boolean;
  },
): Promise<number> {
  const differ = Object.values(parts).flatMap((part) => part.differ);
  const [source, target] = [shownPath(io.cwd, from.folder), placeName(folder)];
  if (json)
    await io.out(`${terminalSafeJson({ schemaVersion: 1, from: source, to: target, ...parts })}\n`);
  else {
    const more = differ.length - mostShown;
    await io.out(
      `${[
        oneLine(`from ${source} to ${target}:`),
        ...Object.entries(parts).map(
          ([name, { copied, there }]) =>
            `  ${titles[name] ?? name}: ${copied} copied${there === 0 ? '' : `, ${there} there before`}`,
        ),
        ...differ.slice(0, mostShown).map((what) => oneLine(`not copied: ${what}`)),
        ...(more > 0 ? [`not copied: ${more} more`] : []),
        `next: reviewloop runs${storeWords(io.cwd, folder)}`,
      ].join('\n')}\n`,
    );
  }
  return differ.length === 0 ? 0 : 1;
}
