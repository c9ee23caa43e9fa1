import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** The shortest start of a run's id, from eight characters on, that no other run of the folder has. */
export async function shortIdOf(store: string, runId: string): Promise<string> {
  const ids = await readdir(join(store, 'runs')).catch(() => [runId]);
  return shortIdAmong(ids, runId);
}

/** The shortest start of an id, from eight characters on, that no other id has. */
export function shortIdAmong(ids: readonly string[], runId: string): string {
  for (let length = 8; length < runId.length; length += 1) {
    const start = runId.slice(0, length);
    if (!start.endsWith('-') && !ids.some((id) => id !== runId && id.startsWith(start))) return start;
  }
  return runId;
}
