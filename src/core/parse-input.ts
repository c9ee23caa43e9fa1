import * as z from 'zod';
import { type KnownError, ReviewLoopError } from './errors.js';

/**
 * Returns a value as its schema parses it.
 *
 * @throws ReviewLoopError with the code of `error`, and with every problem that the schema finds
 */
export function parseInput<Value>(
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
