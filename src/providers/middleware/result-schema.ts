import * as z from 'zod';
import { builtOnUse } from '../../kernel/built-on-use.js';
import { UsageSchema } from '../../kernel/usage.js';

/** A result as it is kept: without what only the vendor knows. */
export const KeptResultSchema = builtOnUse(() =>
  z.object({
    text: z.string(),
    object: z.unknown().optional(),
    finish: z.enum(['stop', 'length', 'content-filter', 'tool-calls', 'error', 'other']),
    usage: UsageSchema,
    model: z.string(),
    reasoning: z.string().optional(),
    warnings: z.array(z.string()),
    attempts: z.int().min(1),
  }),
);
/** A result as it is kept. */
export type KeptResult = z.infer<typeof KeptResultSchema>;
