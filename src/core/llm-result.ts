import * as z from 'zod';
import { builtOnUse } from './built-on-use.js';
import { UsageSchema } from './usage.js';

/** What of an answer of a model is relied on, and therefore checked. */
export const ReliedResultSchema = builtOnUse(() =>
  z.object({
    text: z.string(),
    object: z.unknown().optional(),
    finish: z.enum(['stop', 'length', 'content-filter', 'tool-calls', 'error', 'other']),
    usage: UsageSchema,
    model: z.string(),
  }),
);
/** What of an answer of a model is relied on. */
export type ReliedResult = z.infer<typeof ReliedResultSchema>;
