import * as z from 'zod';
import { builtOnUse } from './built-on-use.js';

/** One call of several: the service did not answer it. */
export const TrySchema = builtOnUse(() =>
  z.object({
    /** When it began, as ISO 8601. */
    at: z.string(),
    durationMs: z.number(),
    what: z.string(),
  }),
);

export interface Try extends z.infer<typeof TrySchema> {}

const noted = new WeakMap<object, readonly Try[]>();
const mostCauses = 10;

export function noteTries(error: unknown, tries: readonly Try[]): void {
  if (tries.length > 1 && error instanceof Error) noted.set(error, [...tries]);
}

/** The error, or a cause of it, may have them. None if the service was called once. */
export function triesOf(error: unknown): readonly Try[] {
  let at = error;
  for (let depth = 0; depth < mostCauses && at instanceof Error; depth += 1) {
    const tries = noted.get(at);
    if (tries !== undefined) return tries;
    at = at.cause;
  }
  return [];
}
