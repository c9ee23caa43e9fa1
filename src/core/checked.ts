import * as z from 'zod';
import { type KnownError, ReviewLoopError } from './errors.js';

/**
 * What somebody passed, as its schema reads it.
 *
 * @throws ReviewLoopError `error`, with every fault that the schema finds
 */
export function checked<Value>(
  schema: z.ZodType<Value>,
  given: unknown,
  { error, what }: { readonly error: KnownError; readonly what: string },
): Value {
  const parsed = z.safeParse(schema, given);
  if (!parsed.success)
    throw new ReviewLoopError(error, `the ${what} was refused: ${z.prettifyError(parsed.error)}`, {
      cause: parsed.error,
      value: given,
    });
  return parsed.data;
}
