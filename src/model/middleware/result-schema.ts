import * as z from 'zod';
import { builtOnUse } from '../../core/built-on-use.js';
import { ReliedResultSchema } from '../../core/llm-result.js';

/** A result as it is kept: without what only the vendor knows. */
export const KeptResultSchema = builtOnUse(() =>
  ReliedResultSchema.extend({
    reasoning: z.string().optional(),
    warnings: z.array(z.string()),
    attempts: z.int().min(1),
  }),
);
/** A result as it is kept. */
export type KeptResult = z.infer<typeof KeptResultSchema>;
