import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from '../../../node/durable.js';
import { unreadableFile } from '../../../node/files.js';
import type { StoreFiles } from '../../../node/store-file.js';
import { type Copied, type Copy, counted } from './copy-source.js';

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
