import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { builtOnUse } from '../../core/built-on-use.js';

/** How many earlier runs are read, and the largest report that is worth it, in bytes. */
const mostRuns = 5;
const mostBytes = 1_000_000;

/** The part of a stored run that tells how long its judges took. */
const TimesSchema = builtOnUse(() =>
  z.object({
    reviews: z.array(z.unknown()),
    judges: z.array(
      z.object({
        id: z.string(),
        reused: z.number().optional(),
        durationMs: z.number().optional(),
      }),
    ),
  }),
);

/**
 * Returns how long each reviewer took in the latest runs of a folder: the median of one review, in
 * milliseconds. Never rejects: what cannot be read tells nothing.
 */
export async function expectedTimes(folder: string): Promise<ReadonlyMap<string, number>> {
  const ids = await readdir(join(folder, 'runs')).catch(() => []);
  const latest = ids.sort((a, b) => (a < b ? -1 : 1)).slice(-mostRuns);
  const read = await Promise.all(
    latest.map((id) => timesIn(join(folder, 'runs', id, 'review.json'))),
  );
  const times = new Map<string, number[]>();
  for (const [id, ms] of read.flat()) times.set(id, [...(times.get(id) ?? []), ms]);
  return new Map([...times].map(([id, all]) => [id, medianOf(all)]));
}

async function timesIn(file: string): Promise<(readonly [string, number])[]> {
  try {
    if ((await stat(file)).size > mostBytes) return [];
    const parsed = TimesSchema.safeParse(JSON.parse(await readFile(file, 'utf8')));
    if (!parsed.success) return [];
    const reviews = Math.max(1, parsed.data.reviews.length);
    return parsed.data.judges.flatMap(({ id, reused = 0, durationMs }) =>
      durationMs === undefined || reused > 0 ? [] : [[id, durationMs / reviews] as const],
    );
  } catch {
    return [];
  }
}

function medianOf(all: readonly number[]): number {
  const sorted = [...all].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
