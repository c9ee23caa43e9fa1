import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** With the time in milliseconds, so that an id that was told stays unique when more runs follow. */
const shortest = 13;

/** The shortest start of a run's id, from a length on that holds the time of its start, that no other run of the folder has. */
export async function shortIdOf(store: string, runId: string): Promise<string> {
  const ids = await readdir(join(store, 'runs')).catch(() => [runId]);
  return shortIdAmong(ids, runId);
}

/** The shortest start of an id, from a length on that holds the time of its start, that no other id has. */
export function shortIdAmong(ids: readonly string[], runId: string): string {
  for (let length = shortest; length < runId.length; length += 1) {
    const start = runId.slice(0, length);
    if (!start.endsWith('-') && !ids.some((id) => id !== runId && id.startsWith(start)))
      return start;
  }
  return runId;
}
