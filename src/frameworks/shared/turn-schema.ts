import * as z from 'zod';
import { builtOnUse } from '../../core/built-on-use.js';

/** The schema of a recorded turn of an agent. */
export const turnSchema = builtOnUse(() => {
  const id = z.string();
  return z.object({
    state: z.unknown(),
    waiting: z.array(
      z.discriminatedUnion('kind', [
        z.object({
          id,
          kind: z.literal('tool'),
          tool: z.string(),
          input: z.unknown().optional(),
        }),
        z.object({ id, kind: z.literal('question'), value: z.unknown().optional() }),
      ]),
    ),
    output: z.unknown().optional(),
  });
});
