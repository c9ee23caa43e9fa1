import { type FileHandle, open } from 'node:fs/promises';
import { isReviewError, ReviewLoopError } from '../../../core/errors.js';
import { appendFlags, privateMode, syncFolder, writeWhole } from '../../../node/durable.js';
import { systemReason } from '../../../node/files.js';
import type { HeldLock } from '../../../node/lock.js';
import type { Journal, JournalRecord } from '../../../ports/store.js';
import { checkReadable, fenced, journalClosed } from '../stored-records.js';
import { type Blob, encodeLine, type SplitRecord, splitRecord, writeBlob } from './read-journal.js';
import type { RunPaths } from './run-paths.js';

export interface FileJournalOptions {
  readonly paths: RunPaths;
  readonly lock: HeldLock;
  readonly records: readonly JournalRecord[];
  /** Members of a record with more bytes become blobs. */
  readonly blobBytes: number;
}

interface Waiting {
  readonly line: Buffer;
  readonly blobs: readonly Blob[];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Records that are appended during a write go into the next write together, with one flush. */
export class FileJournal implements Journal {
  readonly records: readonly JournalRecord[];
  readonly #options: FileJournalOptions;
  #index: number;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;
  #handle: FileHandle | undefined;
  /** The first failure. The content of the file is unknown after it, so nothing more is written. */
  #broken: unknown;
  #closed: Promise<void> | undefined;

  constructor(options: FileJournalOptions) {
    this.#options = options;
    this.records = options.records;
    this.#index = options.records.length;
  }

  append(record: JournalRecord): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#closed !== undefined) throw journalClosed(this.#options.paths.journal);
      if (this.#broken !== undefined) throw this.#broken;
      const split = splitRecord(record, this.#options.blobBytes);
      this.#checkReadable(record, split);
      const { record: text, members, blobs } = split;
      const line = encodeLine({
        epoch: this.#options.lock.epoch,
        index: this.#index,
        blobs: members,
        record: text,
      });
      this.#index += 1;
      this.#waiting.push({ line, blobs, resolve, reject });
      this.#writing ??= this.#write();
    });
  }

  onLost(callback: (error: ReviewLoopError) => void): void {
    this.#options.lock.onLost(() => {
      this.#broken ??= this.#fenced();
      callback(this.#fenced());
    });
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
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
        this.#broken = this.#asReviewError(error);
        for (const { reject } of [...batch, ...this.#waiting.splice(0)]) reject(this.#broken);
      }
    }
    this.#writing = undefined;
  }

  async #writeBatch(batch: readonly Waiting[]): Promise<void> {
    const blobs = batch.flatMap((waiting) => waiting.blobs);
    for (const blob of blobs) await writeBlob(this.#options.paths, blob);
    if (blobs.length > 0) await this.#checkLock();
    this.#handle ??= await this.#openFile();
    await writeWhole(this.#handle, Buffer.concat(batch.map(({ line }) => line)));
    await this.#handle.datasync();
    // if this process was frozen before the write, the next writer ignores these lines
    await this.#checkLock();
  }

  async #openFile(): Promise<FileHandle> {
    const { journal, folder } = this.#options.paths;
    const handle = await open(journal, appendFlags, privateMode);
    if (this.records.length > 0) return handle;
    try {
      await syncFolder(folder);
      return handle;
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  async #checkLock(): Promise<void> {
    if (!(await this.#options.lock.isHeld())) throw this.#fenced();
  }

  #fenced(): ReviewLoopError {
    const { lock, paths } = this.#options;
    return fenced(paths.journal, lock.epoch);
  }

  #checkReadable(record: JournalRecord, { record: text, members }: SplitRecord): void {
    const large = Object.entries(record).filter(([name]) => members.includes(name));
    const stored = { ...(JSON.parse(text) as object), ...Object.fromEntries(large) };
    checkReadable(stored, record, this.#options.paths.journal);
  }

  #asReviewError(error: unknown): unknown {
    if (isReviewError(error)) return error;
    return new ReviewLoopError(
      'journal_write_failed',
      `cannot write ${this.#options.paths.journal}: ${systemReason(error)}`,
      { cause: error },
    );
  }

  async #close(): Promise<void> {
    await this.#writing;
    try {
      await this.#handle?.close();
    } catch {
      // all records are flushed already
    }
    await this.#options.lock.release();
  }
}
