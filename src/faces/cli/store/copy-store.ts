import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { runIdOf } from '../../../adapters/stores/file/run-paths.js';
import { isMissing } from '../../../node/durable.js';
import { unreadableFile } from '../../../node/files.js';
import type { StoreFiles } from '../../../node/store-file.js';
import { oneLine } from '../../../node/terminal/sanitise.js';
import { usageError } from '../../cli-kit/errors.js';
import type { SettingsOf } from '../../cli-kit/flags/flag.js';
import { type Io, tell } from '../../cli-kit/io.js';
import { openStore } from '../../cli-kit/open-store.js';
import type { StoreHandle } from '../../cli-kit/store-handle.js';
import {
  auditGap,
  type Copied,
  type Copy,
  type CopySource,
  copyAttempts,
  copyAudit,
  copyLessons,
  copyReviews,
  copyRuns,
  copySource,
  copyVerdicts,
  counted,
  refuseOpenRuns,
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

const ofRun = [
  'review.json',
  'summary.md',
  'summary.json',
  'request.json',
  'versions.json',
  'log.jsonl',
];

/** Copies reports, requests and records of tasks. */
export class FileCopy {
  readonly #from: StoreFiles;
  readonly #to: StoreFiles;
  readonly #copies: Copy[] = [];

  constructor(from: StoreFiles, to: StoreFiles) {
    this.#from = from;
    this.#to = to;
  }

  get result(): Copied {
    return counted(this.#copies);
  }

  /** @param isCopied - Whether its records were copied, so that earlier files are replaced. */
  async run(folderName: string, runId: string, isCopied: boolean): Promise<void> {
    const [from, to] = [join('runs', folderName), join('runs', runId)];
    for (const name of ofRun) await this.#file(join(from, name), join(to, name), isCopied);
    await this.#folder(join(from, 'output'), join(to, 'output'), isCopied);
  }

  async rest(): Promise<void> {
    await this.#file('times.json', 'times.json', false);
    for (const folder of ['tasks', 'calibration'])
      for (const name of await this.#names(folder))
        if (name.endsWith('.json')) await this.#file(join(folder, name), join(folder, name), false);
  }

  async #folder(from: string, to: string, replace: boolean): Promise<void> {
    for (const name of await this.#names(from)) {
      const [path, target] = [join(from, name), join(to, name)];
      const isFile = await this.#file(path, target, replace);
      if (!isFile) await this.#folder(path, target, replace);
    }
  }

  async #file(from: string, to: string, replace: boolean): Promise<boolean> {
    const text = await textOf(this.#from, from);
    if (text === undefined) return false;
    const known = await this.#to.read(to).catch(() => undefined);
    const isThere = known === text || (known !== undefined && !replace);
    if (!isThere) await this.#to.write(to, text);
    this.#copies.push(isThere ? 'there' : 'copied');
    return true;
  }

  async #names(folder: string): Promise<readonly string[]> {
    try {
      return await this.#from.list(folder);
    } catch (error) {
      if (isMissing(error)) return [];
      throw unreadableFile(this.#from.at(folder), error);
    }
  }
}

/** `undefined` for a folder, or if there is none. */
async function textOf(files: StoreFiles, path: string): Promise<string | undefined> {
  try {
    return await files.read(path);
  } catch (error) {
    const stats = await lstat(files.at(path)).catch(() => undefined);
    if (stats === undefined || stats.isDirectory()) return undefined;
    throw unreadableFile(files.at(path), error);
  }
}
