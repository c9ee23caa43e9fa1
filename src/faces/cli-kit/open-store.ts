import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileAttempts } from '../../adapters/stores/file/file-attempts.js';
import { fileAudit } from '../../adapters/stores/file/file-audit.js';
import { fileStore } from '../../adapters/stores/file/file-store.js';
import { fileVerdicts } from '../../adapters/stores/file/file-verdicts.js';
import { verifyAudit } from '../../adapters/stores/file/verify-audit.js';
import type { PostgresDatabase } from '../../adapters/stores/postgres/postgres-database.js';
import type { PostgresStore } from '../../adapters/stores/postgres/postgres-store.js';
import type { SqliteStore } from '../../adapters/stores/sqlite/sqlite-store.js';
import { folderFiles } from '../../node/store-file.js';
import { systemClock } from '../../ports/clock.js';
import { quoted } from './show/listing.js';
import {
  databaseSuffix,
  type PostgresPlace,
  type StoreHandle,
  storePlace,
} from './store-handle.js';

/** Most runs of the command line are reviewed once. */
const oneReview = { minReviews: 1 };

/**
 * A folder or a file is not created before it is used; a database at an address gets its tables, so
 * that an unusable one stops the command before any work.
 */
export async function openStore(text: string, cwd: string): Promise<StoreHandle> {
  const place = storePlace(text);
  if (place.kind === 'folder') return folderStore(resolve(cwd, place.folder), text);
  if (place.kind === 'sqlite') return fileDatabase(resolve(cwd, place.file), text);
  return openPostgres(place);
}

/** Nothing is created before it is used. */
export function folderStore(folder: string, text = `file:${folder}`): StoreHandle {
  const cache = join(folder, 'cache', 'verdicts');
  const files = folderFiles(folder);
  return {
    runs: fileStore(folder),
    files,
    audit: fileAudit(folder),
    verdicts: fileVerdicts(cache),
    lessons: async () => {
      const { fileLessons } = await import('../../adapters/stores/file/file-lessons.js');
      return fileLessons(join(folder, 'lessons.jsonl'), oneReview);
    },
    attempts: fileAttempts(join(folder, 'attempts')),
    verifyAudit: (options) => verifyAudit(folder, options),
    auditPlace: join(folder, 'audit.jsonl'),
    prune: async (options) => (await pruning()).pruneRuns(folder, options),
    pruneVerdicts: async (options) => (await pruning()).pruneVerdicts(cache, options),
    ...{ folder, own: [join(folder, 'runs')], text },
    words: (cwd) => {
      const shown = relative(cwd, folder);
      return shown === '.reviewloop' ? '' : ` --store ${quoted(`file:${shown || '.'}`)}`;
    },
    local: () => folder,
    exists: () => existsSync(folder),
    prepare: files.prepare,
    close: async () => {},
  };
}

const pruning = () => import('../../adapters/stores/file/prune.js');

async function fileDatabase(file: string, text: string): Promise<StoreHandle> {
  const { sqliteStore } = await import('../../adapters/stores/sqlite/sqlite-store.js');
  const folder = `${file}${databaseSuffix}`;
  const files = folderFiles(folder);
  const store = sqliteStore(file, { lessons: oneReview });
  const exists = (): boolean => existsSync(file);
  return {
    ...partsOf(store),
    files,
    verifyAudit: (options) =>
      exists() ? store.verifyAudit(options) : verifyAudit(folder, options),
    auditPlace: file,
    tables: { query: store.query, schema: '', value: '?' },
    ...{ folder, file, text, exists, close: store.close },
    own: [folder, ...['', '-wal', '-shm', '-journal'].map((end) => `${file}${end}`)],
    words: (cwd) => ` --store ${quoted(`sqlite:${relative(cwd, file)}`)}`,
    local: () => folder,
    prepare: async () => {
      await store.list({ status: 'running' });
      await files.prepare();
    },
  };
}

function partsOf(store: SqliteStore | PostgresStore) {
  const { audit, verdicts, attempts, prune, pruneVerdicts } = store;
  const lessons = async () => store.lessons;
  return { runs: store, audit, verdicts, lessons, attempts, prune, pruneVerdicts };
}

/** How long to wait for a database that does not answer, first and later. */
const firstWaitMs = 5000;
const longestWaitMs = 60_000;

const connections = { runs: 3, rest: 2 };

/**
 * Checks that it can be used. The handle does not give the address away, which may hold a password.
 */
async function openPostgres({ address, name, text }: PostgresPlace): Promise<StoreHandle> {
  const [{ postgresStore }, { PostgresDatabase: Database }, { reportFiles }] = await Promise.all([
    import('../../adapters/stores/postgres/index.js'),
    import('../../adapters/stores/postgres/postgres-database.js'),
    import('../../adapters/stores/postgres/report-files.js'),
  ]);
  const databaseFor = (outageMs: number): PostgresDatabase =>
    new Database({
      ...{ place: address, schema: 'reviewloop', outageMs, migrate: true },
      ...{ worker: 'cli', connections: connections.rest, clock: systemClock },
    });
  const first = databaseFor(firstWaitMs);
  try {
    await first.migrate();
  } finally {
    await first.close();
  }
  const store = postgresStore(address, {
    connections: connections.runs,
    worker: 'cli',
    lessons: oneReview,
  });
  const database = databaseFor(longestWaitMs);
  const files = reportFiles(database);
  return {
    ...partsOf(store),
    ...{ files, limits: store, verifyAudit: store.verifyAudit, auditPlace: name },
    tables: { query: store.query, schema: 'reviewloop.', value: '$1' },
    ...{ database, folder: undefined, own: [], text },
    words: () => ` --store ${quoted(text)}`,
    local: (below) => join(below, '.reviewloop'),
    exists: () => true,
    prepare: files.prepare,
    close: async () => {
      await files.settle();
      await Promise.all([store.close(), database.close()]);
    },
  };
}
