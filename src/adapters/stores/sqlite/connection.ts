import { open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import {
  isReviewError,
  type KnownError,
  messageOf,
  ReviewLoopError,
} from '../../../core/errors.js';
import { makeFolders, privateMode } from '../../../node/durable.js';
import { nodeErrors } from '../../../node/errors.js';
import { addGitignore, refuseLinks } from '../../../node/store-file.js';
import type { Clock } from '../../../ports/clock.js';
import { portErrors } from '../../../ports/errors.js';
import { storeErrors } from '../errors.js';
import { findDriver, type OpenDriver, type SqliteDriver } from './driver.js';
import { migrate } from './migrations.js';

export interface ConnectionOptions {
  readonly place: string | SqliteDriver;
  /** Longest wait for other processes, in milliseconds. */
  readonly busyTimeoutMs: number;
  readonly clock: Clock;
  /** Returns the function that opens a file. @default the first installed package */
  readonly find?: (() => Promise<OpenDriver>) | undefined;
}

const unopened: DatabaseFailure = { error: nodeErrors.output_unwritable, what: 'cannot be opened' };

/**
 * How long the driver waits and blocks the process, in milliseconds. Longer waits happen between
 * attempts.
 */
const driverWaitMs = 20;

export function databaseName({ place }: ConnectionOptions): string {
  return typeof place === 'string' ? place : 'the database';
}

/** Creates the database if it is missing, and migrates its tables. */
export async function connect(options: ConnectionOptions): Promise<SqliteDriver> {
  const { place, find = findDriver } = options;
  if (typeof place !== 'string') return prepare(place, options);
  const open = await find();
  try {
    await createPlace(place);
    const driver = await retryWhileBusy(options, unopened, () => open(place));
    return await prepare(driver, options).catch((error: unknown) => {
      driver.close();
      throw error;
    });
  } catch (error) {
    throw databaseError(place, error, unopened);
  }
}

export async function retryWhileBusy<Value>(
  options: ConnectionOptions,
  failure: DatabaseFailure,
  work: () => Value,
): Promise<Value> {
  const { clock, busyTimeoutMs } = options;
  const until = clock.now() + busyTimeoutMs;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || clock.now() >= until)
        throw databaseError(databaseName(options), error, failure);
    }
    // spread the attempts of several waiting processes over time
    await new Promise<void>(
      (done) => void clock.after(2 + ((attempt * 13 + process.pid) % 37), done),
    );
  }
}

async function prepare(driver: SqliteDriver, options: ConnectionOptions): Promise<SqliteDriver> {
  driver.exec(`PRAGMA busy_timeout = ${driverWaitMs}`);
  await retryWhileBusy(options, unopened, () => {
    // before any change: a database of another program stays as it is
    migrate(driver, databaseName(options));
    driver.prepare('PRAGMA journal_mode = WAL').all();
    driver.exec('PRAGMA synchronous = FULL');
    driver.exec('PRAGMA fullfsync = ON');
  });
  return driver;
}

async function createPlace(file: string): Promise<void> {
  const folder = dirname(file);
  if ((await makeFolders(folder)) === folder) await addGitignore(folder);
  for (const end of ['-wal', '-shm', '-journal']) await refuseLinks(folder, `${file}${end}`);
  // a database opens its file by the umask, and its log files copy the mode
  await open(file, 'ax', privateMode).then(
    (handle) => handle.close(),
    () => undefined,
  );
  const found = await stat(file).catch(() => undefined);
  if (found !== undefined && !found.isFile())
    throw new ReviewLoopError(nodeErrors.output_unwritable, `${file} is not a file`, {
      value: file,
    });
}

/** SQLite's primary code, whatever the driver; `undefined` for other errors. */
function resultCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('errcode' in error && typeof error.errcode === 'number')
    return numbered.get(error.errcode & 0xff) ?? 'SQLITE_ERROR';
  if ('code' in error && typeof error.code === 'string' && error.code.startsWith('SQLITE_'))
    return error.code;
  const [, digits] = /^ConnectionFailed\(.*: (\d+)"\)$/s.exec(error.message) ?? [];
  return digits === undefined ? undefined : (numbered.get(Number(digits) & 0xff) ?? 'SQLITE_ERROR');
}

const numbered = new Map([
  [5, 'SQLITE_BUSY'],
  [6, 'SQLITE_LOCKED'],
  [11, 'SQLITE_CORRUPT'],
  [26, 'SQLITE_NOTADB'],
]);

/** Another connection uses the database, so a retry may succeed. */
export function isBusy(error: unknown): boolean {
  return /^SQLITE_(?:BUSY|LOCKED)/.test(resultCode(error) ?? '');
}

/** SQLite does not explain such a failure. */
export interface DatabaseFailure {
  readonly error: KnownError;
  readonly what: string;
}

export function databaseError(file: string, error: unknown, otherwise: DatabaseFailure): unknown {
  if (isReviewError(error)) return error;
  const code = resultCode(error) ?? '';
  const details = { cause: error, value: file };
  if (isBusy(error))
    return new ReviewLoopError(
      storeErrors.store_busy,
      `${file} is in use by another process: ${messageOf(error)}`,
      { ...details, retryable: true },
    );
  if (/^SQLITE_(?:NOTADB|CORRUPT)/.test(code))
    return new ReviewLoopError(
      portErrors.journal_corrupt,
      `${file} is not a valid database: ${messageOf(error)}`,
      details,
    );
  return new ReviewLoopError(
    otherwise.error,
    `${file} ${otherwise.what}: ${messageOf(error)}`,
    details,
  );
}
