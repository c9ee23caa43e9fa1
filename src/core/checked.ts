import * as z from 'zod';
import type { ErrorCode } from './error-codes.js';
import { ReviewLoopError } from './errors.js';

/**
 * What somebody passed, as its schema reads it.
 *
 * @throws ReviewLoopError Of this code, with every fault that the schema finds.
 */
export function checked<Value>(
  schema: z.ZodType<Value>,
  given: unknown,
  { code, what }: { readonly code: ErrorCode; readonly what: string },
): Value {
  const parsed = z.safeParse(schema, given);
  if (!parsed.success)
    throw new ReviewLoopError(code, `the ${what} was refused: ${z.prettifyError(parsed.error)}`, {
      cause: parsed.error,
      value: given,
    });
  return parsed.data;
}
