import { type FileHandle, open } from 'node:fs/promises';
import { isReviewError } from '../../../core/errors.js';
import { appendFlags, privateMode, syncFolder, writeWhole } from '../../../node/durable.js';
import type { HeldLock } from '../../../node/lock.js';
import type { JournalRecord } from '../../../ports/store.js';
import type { RunEntry, WritableRun } from '../run-journal.js';
import { checkReadable, fenced, writeFailed } from '../stored-records.js';
import { type Blob, encodeLine, type SplitRecord, splitRecord, writeBlob } from './read-journal.js';
import type { RunPaths } from './run-paths.js';

export interface FileRunOptions {
  readonly paths: RunPaths;
  readonly lock: HeldLock;
  /** Members of a record with more bytes become blobs. */
  readonly blobBytes: number;
  /** Whether the run has no record yet. */
  readonly isNew: boolean;
}

interface Waiting {
  readonly line: Buffer;
  readonly blobs: readonly Blob[];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export function fileRun(options: FileRunOptions): WritableRun<SplitRecord> {
  const { paths, lock, blobBytes } = options;
  const lines = new LineFile(options);
  return {
    place: paths.journal,
    bodyOf: (record) => {
      const split = splitRecord(record, blobBytes);
      checkReadable(storedIn(record, split), record, paths.journal);
      return split;
    },
    put: (entry) => lines.put(entry),
    onLost: (callback) => lock.onLost(() => callback(fenced(paths.journal, lock.epoch))),
    release: () => lines.close(),
  };
}

function storedIn(record: JournalRecord, { record: text, members }: SplitRecord): object {
  const large = Object.entries(record).filter(([name]) => members.includes(name));
  return { ...(JSON.parse(text) as object), ...Object.fromEntries(large) };
}

/** Records that are appended during a write go into the next write together, with one flush. */
class LineFile {
  readonly #options: FileRunOptions;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;
  #handle: FileHandle | undefined;
  /** The first failure. The content of the file is unknown after it, so nothing more is written. */
  #broken: unknown;

  constructor(options: FileRunOptions) {
    this.#options = options;
  }

  put({ n, body: { record, members, blobs } }: RunEntry<SplitRecord>): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#broken !== undefined) throw this.#broken;
      const line = encodeLine({ e: this.#options.lock.epoch, n, b: members }, record);
      this.#waiting.push({ line, blobs, resolve, reject });
      this.#writing ??= this.#write();
    });
  }

  async close(): Promise<void> {
    await this.#writing;
    // all records are flushed already
    await this.#handle?.close().catch(() => {});
    await this.#options.lock.release();
  }

  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      let batch: readonly Waiting[] = [];
      try {
        await this.#checkLock();
        batch = this.#waiting.splice(0);
        await this.#writeBatch(batch);
        for (const { resolve } of batch) resolve();
      } catch (error) {
        const { journal } = this.#options.paths;
        this.#broken = isReviewError(error) ? error : writeFailed(journal, error);
        for (const { reject } of [...batch, ...this.#waiting.splice(0)]) reject(this.#broken);
      }
    }
    this.#writing = undefined;
  }

  async #writeBatch(batch: readonly Waiting[]): Promise<void> {
    const { paths } = this.#options;
    const blobs = batch.flatMap((waiting) => waiting.blobs);
    for (const blob of blobs) await writeBlob(paths, blob);
    if (blobs.length > 0) await this.#checkLock();
    this.#handle ??= await this.#open();
    await writeWhole(this.#handle, Buffer.concat(batch.map(({ line }) => line)));
    await this.#handle.datasync();
    // if this process was frozen before the write, the next writer ignores these lines
    await this.#checkLock();
  }

  async #open(): Promise<FileHandle> {
    const { paths, isNew } = this.#options;
    const handle = await open(paths.journal, appendFlags, privateMode);
    try {
      if (isNew) await syncFolder(paths.folder);
      return handle;
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  async #checkLock(): Promise<void> {
    const { lock, paths } = this.#options;
    if (!(await lock.isHeld())) throw fenced(paths.journal, lock.epoch);
  }
}
