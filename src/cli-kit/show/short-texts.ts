import { join } from 'node:path';
import { listStoreFolder } from '../../node/store-file.js';

/** The length of the time in an id. A printed id that contains it stays unique after more runs. */
const shortest = 13;

/**
 * Returns the shortest unique prefix of a run's id in a folder. It contains at least the start
 * time.
 */
export async function shortIdOf(store: string, runId: string): Promise<string> {
  const ids = await listStoreFolder(join(store, 'runs')).catch(() => [runId]);
  return shortIdAmong(ids, runId);
}

/**
 * Returns the shortest unique prefix of an id among others. It contains at least the start time.
 */
export function shortIdAmong(ids: readonly string[], runId: string): string {
  for (let length = shortest; length < runId.length; length += 1) {
    const start = runId.slice(0, length);
    if (!start.endsWith('-') && !ids.some((id) => id !== runId && id.startsWith(start)))
      return start;
  }
  return runId;
}
