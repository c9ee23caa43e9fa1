import { runIdOf } from '../../../adapters/stores/file/run-paths.js';
import type { StoreFiles } from '../../../node/store-file.js';
import { oneLine } from '../../../node/terminal/sanitise.js';
import { usageError } from '../../cli-kit/errors.js';
import type { SettingsOf } from '../../cli-kit/flags/flag.js';
import { type Io, tell } from '../../cli-kit/io.js';
import { openStore } from '../../cli-kit/open-store.js';
import type { StoreHandle } from '../../cli-kit/store-handle.js';
import { FileCopy } from './copy-files.js';
import { auditGap, copyAudit, copyReviews, copyRuns, refuseOpenRuns } from './copy-records.js';
import {
  type Copied,
  type CopySource,
  copyAttempts,
  copyLessons,
  copySource,
  copyVerdicts,
} from './copy-source.js';
import type { copyFlags } from './store-flags.js';

type CopySettings = SettingsOf<typeof copyFlags>;

const mostShown = 10;

/** Returns the exit code: 1 if something differs there. */
export async function copyStore(io: Io, settings: CopySettings): Promise<number> {
  const opened: StoreHandle[] = [];
  const open = async (text: string): Promise<StoreHandle> => {
    const store = await openStore(text, io.cwd);
    opened.push(store);
    return store;
  };
  try {
    const [given, to] = [await open(settings.from), await open(settings.to)];
    const from = await copySource(given);
    if (given.files.name === to.files.name) throw usageError('name two different stores');
    const parts = await copyAll(from, to);
    return await showCopied(io, settings.format, { from: given, to, parts });
  } finally {
    await Promise.all(opened.map(({ close }) => close()));
  }
}

type Parts = Readonly<Record<string, Copied>>;

async function copyAll(from: CopySource, to: StoreHandle): Promise<Parts> {
  const { database, runs: target, files: targetFiles } = to;
  if (database === undefined)
    throw usageError(
      'a store is copied into a database: name its address, such as postgres://user@host/name, or env:NAME',
    );
  const { runs: source, files: sourceFiles } = from.store;
  // what cannot be copied whole is refused before anything is copied
  const gap = await auditGap(from.store, to);
  await refuseOpenRuns(source);
  const files = new FileCopy(sourceFiles, targetFiles);
  const names = await folderNames(sourceFiles);
  const runs = await copyRuns(source, target, async (runId, isCopied) => {
    await copyReviews(from.reviews, database, runId);
    await files.run(names.get(runId) ?? runId, runId, isCopied);
  });
  await files.rest();
  return {
    runs,
    files: files.result,
    verdicts: await copyVerdicts(from, to),
    lessons: await copyLessons(from, database),
    attempts: await copyAttempts(from, to),
    audit: await copyAudit(gap, database),
  };
}

/** Some ids are no names of folders. */
async function folderNames(files: StoreFiles): Promise<ReadonlyMap<string, string>> {
  const names = await files.list('runs').catch(() => []);
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

async function showCopied(
  io: Io,
  format: string,
  { from, to, parts }: Record<'from' | 'to', StoreHandle> & { readonly parts: Parts },
): Promise<number> {
  const differ = Object.values(parts).flatMap((part) => part.differ);
  const [source, target] = [from.files.shown(io.cwd), to.files.name];
  const more = differ.length - mostShown;
  await tell(io, format, {
    data: { from: source, to: target, ...parts },
    lines: [
      oneLine(`from ${source} to ${target}:`),
      ...Object.entries(parts).map(
        ([name, { copied, there }]) =>
          `  ${titles[name] ?? name}: ${copied} copied${there === 0 ? '' : `, ${there} there before`}`,
      ),
      ...differ.slice(0, mostShown).map((what) => oneLine(`not copied: ${what}`)),
      ...(more > 0 ? [`not copied: ${more} more`] : []),
      `next: reviewloop runs${to.words(io.cwd)}`,
    ],
  });
  return differ.length === 0 ? 0 : 1;
}
