import { type FileHandle, open } from 'node:fs/promises';
import * as z from 'zod';
import { isReviewError, messageOf, ReviewLoopError } from '../../core/errors.js';
import { syncFolder, writeWhole } from '../../node/durable.js';
import type { HeldLock } from '../../node/lock.js';
import { type Journal, type JournalRecord, JournalRecordSchema } from '../../ports/store.js';
import { storeErrors } from '../errors.js';
import { type Blob, type SplitRecord, splitRecord, writeBlob } from './blobs.js';
import { encodeLine } from './journal-line.js';
import type { RunPaths } from './run-paths.js';

/** What a journal is opened with. */
export interface FileJournalOptions {
  readonly paths: RunPaths;
  readonly lock: HeldLock;
  readonly records: readonly JournalRecord[];
  /** Members of a record with more bytes than this become blobs. */
  readonly blobBytes: number;
}

interface Waiting {
  readonly line: Buffer;
  readonly blobs: readonly Blob[];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** A run's journal in a file. What is appended while a write is out goes into the next one, in one piece and with one flush. */
export class FileJournal implements Journal {
  readonly records: readonly JournalRecord[];
  readonly #options: FileJournalOptions;
  #index: number;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;
  #handle: FileHandle | undefined;
  /** Set by the first failure: what is in the file after it is not known, so nothing is written any more. */
  #broken: unknown;
  #closed: Promise<void> | undefined;

  constructor(options: FileJournalOptions) {
    this.#options = options;
    this.records = options.records;
    this.#index = options.records.length;
  }

  append(record: JournalRecord): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#closed !== undefined)
        throw new ReviewLoopError(
          'journal_write_failed',
          `${this.#options.paths.journal} was closed before this record`,
        );
      if (this.#broken !== undefined) throw this.#broken;
      const split = splitRecord(record, this.#options.blobBytes);
      this.#refuseUnreadable(record, split);
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
        await this.#stillHeld();
        batch = this.#waiting.splice(0);
        await this.#writeBatch(batch);
        for (const { resolve } of batch) resolve();
      } catch (error) {
        this.#broken = this.#known(error);
        for (const { reject } of [...batch, ...this.#waiting.splice(0)]) reject(this.#broken);
      }
    }
    this.#writing = undefined;
  }

  async #writeBatch(batch: readonly Waiting[]): Promise<void> {
    const blobs = batch.flatMap((waiting) => waiting.blobs);
    for (const blob of blobs) await writeBlob(this.#options.paths, blob);
    if (blobs.length > 0) await this.#stillHeld();
    this.#handle ??= await this.#openFile();
    await writeWhole(this.#handle, Buffer.concat(batch.map(({ line }) => line)));
    await this.#handle.datasync();
    // frozen between the first look and the write: the next writer leaves these lines out
    await this.#stillHeld();
  }

  async #openFile(): Promise<FileHandle> {
    const { journal, folder } = this.#options.paths;
    const handle = await open(journal, 'a');
    if (this.records.length > 0) return handle;
    try {
      await syncFolder(folder);
      return handle;
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  async #stillHeld(): Promise<void> {
    if (!(await this.#options.lock.isHeld())) throw this.#fenced();
  }

  #fenced(): ReviewLoopError {
    const { lock, paths } = this.#options;
    return new ReviewLoopError(
      storeErrors.journal_fenced,
      `${paths.journal} has a later writer than this one, of epoch ${lock.epoch}`,
    );
  }

  /** What could be written but not read back would lose the whole journal. */
  #refuseUnreadable(record: JournalRecord, { record: text, members }: SplitRecord): void {
    const large = Object.entries(record).filter(([name]) => members.includes(name));
    const { error } = JournalRecordSchema.safeParse({
      ...(JSON.parse(text) as object),
      ...Object.fromEntries(large),
    });
    if (error !== undefined)
      throw new ReviewLoopError(
        'journal_write_failed',
        `a record for ${this.#options.paths.journal} is not valid: ${z.prettifyError(error)}`,
        { cause: error, value: record },
      );
  }

  #known(error: unknown): unknown {
    if (isReviewError(error)) return error;
    return new ReviewLoopError(
      'journal_write_failed',
      `${this.#options.paths.journal} cannot be written: ${messageOf(error)}`,
      { cause: error },
    );
  }

  async #close(): Promise<void> {
    await this.#writing;
    try {
      await this.#handle?.close();
    } catch {
      // every record that was promised has been flushed
    }
    await this.#options.lock.release();
  }
}
